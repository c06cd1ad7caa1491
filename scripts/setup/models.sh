# shellcheck shell=bash
# Face models. Sourced by scripts/setup.sh.

models_state=

# Models are wanted, not needed: without them faces are found by the cascade, and set-up succeeds.
install_models() {
    local directory=$deps/share/glimpsed/models sha256 address name present=() absent=()
    mkdir -p "$directory" 2>>"$log" || fail_to_write "$directory"

    while read -r sha256 address; do
        name=${address##*/}
        if has_sha256 "$directory/$name" "$sha256" || install_model "$name" "$sha256" "$address"; then
            present+=("${name%.onnx}")
        else
            absent+=("${name%.onnx}")
        fi
    done < <(grep -v '^#' "$root/scripts/models.txt")

    models_state="models ${present[*]}"
    if ((${#present[@]} == 0)); then
        models_state="no model: faces fall back to the cascade"
    fi
    if ((${#absent[@]} > 0)); then
        warn "without ${absent[*]} (why: $log); GLIMPSE_MODELS=DIR takes models from a directory"
    fi
}

# install_model NAME SHA256 ADDRESS: from GLIMPSE_MODELS, else ../shared/models, else ADDRESS. A file that is not the
# pinned one is refused, and a model asked for by GLIMPSE_MODELS has to be there.
install_model() {
    local from=${GLIMPSE_MODELS:-$root/../shared/models}/$1
    if [[ -f $from ]]; then
        cp "$from" "$work/$1" 2>>"$log" || fail "cannot copy $from" "make it readable, or free some disk space in $deps"
    elif [[ -n ${GLIMPSE_MODELS-} ]]; then
        fail "GLIMPSE_MODELS=$GLIMPSE_MODELS has no $1" "put it there, or unset GLIMPSE_MODELS to download it"
    else
        from=$3
        logged curl --fail --silent --show-error --location --proto '=https' --connect-timeout 5 --max-time 60 \
            --output "$work/$1" "$from" || return
    fi

    if ! has_sha256 "$work/$1" "$2"; then
        [[ -z ${GLIMPSE_MODELS-} ]] ||
            fail "$from is not the model expected: its SHA-256 is not $2" "replace it, or unset GLIMPSE_MODELS"
        warn "$from is not the model expected: its SHA-256 is not $2; refused"
        return 1
    fi
    mv -f "$work/$1" "$deps/share/glimpsed/models/$1" 2>>"$log" ||
        fail_to_write "$deps/share/glimpsed/models"
    say "installed model ${1%.onnx}"
}
