# shellcheck shell=bash
# Face models. Sourced by scripts/setup.sh.

models_state=

# Models are wanted, not needed: without them faces are found by the cascade, and set-up succeeds.
install_models() {
    local directory=$deps/share/glimpsed/models sha256 address name names=()
    mkdir -p "$directory" || fail "cannot write to $directory" "make it writable for $(id -un) and run set-up again"

    while read -r sha256 address; do
        name=${address##*/}
        if ! has_sha256 "$directory/$name" "$sha256"; then
            fetch_model "$name" "$address" || break
            verify_model "$name" "$sha256" || break
            mv -f "$work/$name" "$directory/$name" ||
                fail "cannot write $directory/$name" "make it writable for $(id -un) and run set-up again"
            say "installed model $name"
        fi
        names+=("${name%.onnx}")
    done < <(grep -v '^#' "$root/scripts/models.txt")

    if ((${#names[@]} > 0)); then
        models_state="models ${names[*]}"
    else
        models_state="no face model: faces fall back to the cascade"
    fi
}

# fetch_model NAME ADDRESS: into $work, from GLIMPSE_MODELS, else ../shared/models, else ADDRESS.
fetch_model() {
    local from
    if [[ -n ${GLIMPSE_MODELS-} ]]; then
        from=$GLIMPSE_MODELS/$1
        [[ -f $from ]] || fail "GLIMPSE_MODELS=$GLIMPSE_MODELS has no $1" "put it there, or unset GLIMPSE_MODELS to download it"
    else
        from=$root/../shared/models/$1
    fi
    if [[ -f $from ]]; then
        model_source=$from
        cp "$from" "$work/$1" 2>>"$log" || fail "cannot copy $from" "make it readable, or free some disk space in $deps"
    else
        model_source=$2
        logged curl --fail --silent --show-error --location --proto '=https' --connect-timeout 5 --max-time 60 \
            --output "$work/$1" "$2" ||
            { warn "model $1 could not be fetched from $2 (give a directory that has it by GLIMPSE_MODELS)"; return 1; }
    fi
}

# verify_model NAME SHA256: refuses what was fetched into $work when it is not the pinned file.
verify_model() {
    has_sha256 "$work/$1" "$2" && return
    if [[ -n ${GLIMPSE_MODELS-} ]]; then
        fail "$model_source is not the model expected: its SHA-256 is not $2" "put the right file there, or unset GLIMPSE_MODELS"
    fi
    warn "$model_source is not the model expected (its SHA-256 is not $2): refused"
    return 1
}
