# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# The models of models/catalog.toml that this project runs. Sourced by scripts/setup.sh, before there is a glimpsed to
# do it.

models_state=

# Models are optional. Without them the cascade detects faces, and set-up succeeds.
install_models() {
    local directory=$deps/share/glimpsed/models sha256 name address present=() absent=()
    mkdir -p "$directory" 2>>"$log" || fail_to_write "$directory"

    while read -r sha256 name address; do
        if has_sha256 "$directory/$name" "$sha256" || install_model "$name" "$sha256" "$address"; then
            present+=("$name")
        elif [[ $address != - ]]; then # One without an address is fetched by hand: docs/reference/models.md.
            absent+=("$name")
        fi
    done < <(catalogued_files "$root/models/catalog.toml")

    models_state="${#present[@]} model files"
    if ((${#absent[@]} > 0)); then
        warn "without ${absent[*]} (why: $log); GLIMPSE_MODELS=DIR takes models from a directory"
    fi
}

# catalogued_files CATALOGUE: SHA-256, name and address (- for none) of each file of a verified model, each once. Our
# own catalogue only: a key a line.
catalogued_files() {
    awk '
        function flush() {
            if (hash != "" && (url != "" || file != "")) {
                if (url == "") url = "-"
                if (file == "") { file = url; sub(/.*\//, "", file) }
                pending = pending hash " " file " " url "\n"
            }
            hash = file = url = ""
        }
        function finish() { flush(); if (verified) printf "%s", pending; pending = ""; verified = 1 }
        /^\[[^.]*\]$/ { finish() }
        /^\[.*\..*\]$/ { flush() }
        /^verified = false/ { verified = 0 }
        /^(sha256|file|url) = "/ { value = $0; sub(/^[^"]*"/, "", value); sub(/".*$/, "", value) }
        /^sha256 = / { hash = value }
        /^file = / { file = value }
        /^url = / { url = value }
        END { finish() }
    ' "$1" | sort -u
}

# install_model NAME SHA256 ADDRESS: from GLIMPSE_MODELS, else ../shared/models, else ADDRESS, where there is one. A
# file that is not the pinned one is refused, and a model asked for by GLIMPSE_MODELS has to be there.
install_model() {
    local from=${GLIMPSE_MODELS:-$root/../shared/models}/$1
    if [[ -f $from ]]; then
        cp "$from" "$work/$1" 2>>"$log" || fail "cannot copy $from" "make it readable, or free some disk space in $deps"
    elif [[ $3 == - ]]; then
        return 1
    elif [[ -n ${GLIMPSE_MODELS-} ]]; then
        fail "GLIMPSE_MODELS=$GLIMPSE_MODELS has no $1" "put it there, or unset GLIMPSE_MODELS to download it"
    else
        from=$3
        logged curl --fail --silent --show-error --location --proto '=https' --connect-timeout 5 --max-time 60 \
            --output "$work/$1" "$from" || return
    fi

    if ! has_sha256 "$work/$1" "$2"; then
        [[ -z ${GLIMPSE_MODELS-} ]] ||
            fail "$from is not the expected file: its SHA-256 is not $2" "replace it, or unset GLIMPSE_MODELS"
        warn "$from is not the expected file: its SHA-256 is not $2; refused"
        return 1
    fi
    mv -f "$work/$1" "$deps/share/glimpsed/models/$1" 2>>"$log" ||
        fail_to_write "$deps/share/glimpsed/models"
    say "installed model file $1"
}
