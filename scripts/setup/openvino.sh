# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# The OpenVINO runtime: always at .deps/openvino/{include,lib}. Sourced by scripts/setup.sh.

openvino_state=

# Files of the wheel that nothing here uses: formats other than ONNX, TFLite and OpenVINO's own, the C API, NPUs.
openvino_unused=(
    'libopenvino_gguf_frontend.*' 'libopenvino_jax_frontend.*' 'libopenvino_paddle_frontend.*'
    'libopenvino_pytorch_frontend.*' 'libopenvino_tensorflow_frontend.*'
    'libopenvino_c.*' 'libopenvino_intel_npu_plugin.*' 'libtbbmalloc_proxy.*' tbb.pc
)

install_openvino() {
    local name
    if pkg-config --exists openvino 2>/dev/null; then
        name=openvino-system
        link_system_openvino "$name"
        openvino_state="system OpenVINO $(pkg-config --modversion openvino)"
    else
        local version
        version=$(sed -n 's/^openvino==\([0-9.]*\).*/\1/p' "$root/scripts/openvino-requirements.txt")
        name=openvino-$version
        [[ -e $deps/$name/lib/libopenvino.so ]] || fetch_openvino "$version" "$name"
        openvino_state="OpenVINO $version"
    fi
    if [[ $(readlink "$deps/openvino") != "$name" ]]; then
        { ln -sfn "$name" "$work/openvino" && mv -fT "$work/openvino" "$deps/openvino"; } 2>>"$log" ||
            fail_to_write "$deps/openvino"
    fi
}

# Links to the directories that pkg-config names. Only openvino/ is linked under include/, so that a compiler
# that is given the directory never sees /usr/include in another order than its own.
link_system_openvino() {
    local headers libraries
    headers=$(first_with openvino/openvino.hpp -I --cflags-only-I)
    libraries=$(first_with libopenvino.so -L --libs-only-L)
    [[ -n $headers && -n $libraries ]] ||
        fail "pkg-config knows openvino, but its headers or libopenvino.so are missing" \
            "install OpenVINO's development package, or remove openvino.pc to use the wheel"
    { mkdir -p "$deps/$1/include" &&
        ln -sfn "$headers/openvino" "$deps/$1/include/openvino" &&
        ln -sfn "$libraries" "$deps/$1/lib"; } 2>>"$log" || fail_to_write "$deps/$1"
}

# first_with FILE FLAG QUERY: the first directory in pkg-config's answer to QUERY that holds FILE.
first_with() {
    local word
    for word in $(PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 pkg-config "$3" openvino); do
        if [[ -e ${word#"$2"}/$1 ]]; then
            echo "${word#"$2"}"
            return
        fi
    done
}

# fetch_openvino VERSION NAME: the wheel from PyPI, checked by pip against the pinned hash, unpacked to .deps/NAME.
fetch_openvino() {
    local platform wheel
    case $(uname -m) in
        x86_64) platform=manylinux_2_28_x86_64 ;;
        aarch64) platform=manylinux_2_35_aarch64 ;;
        *) fail "there is no OpenVINO wheel for $(uname -m)" "build and install OpenVINO so that pkg-config finds it" ;;
    esac
    say "fetching OpenVINO $1 (60 MB)"
    logged python_with_pip -m pip download --dest "$work" --no-deps --require-hashes --only-binary=:all: \
        --platform "$platform" --python-version 3.11 --implementation cp --abi cp311 \
        --requirement "$root/scripts/openvino-requirements.txt" ||
        fail "pip could not fetch OpenVINO $1" \
            "repair the error of pip above (network, PyPI, space in $deps), then run set-up again"
    wheel=$(echo "$work"/openvino-*.whl)

    unpack_openvino "$wheel" "$work/$2" ||
        fail "OpenVINO's wheel could not be unpacked" "free 300 MB in $deps, then run set-up again"
    rm -rf "${deps:?}/$2" "$wheel"
    mv -T "$work/$2" "$deps/$2" 2>>"$log" || fail_to_write "$deps/$2"
}

# The wheel may be for another Python than this one: pip only downloads it. Debian's own Python is asked when the first
# on PATH has no pip.
python_with_pip() {
    local python
    for python in python3 /usr/bin/python3; do
        if "$python" -m pip --version >/dev/null 2>&1; then
            "$python" "$@"
            return
        fi
    done
    echo "no Python here has pip: apt-get install python3-pip"
    return 1
}

# unpack_openvino WHEEL DIRECTORY: headers, libraries and licences, and the link names that a linker looks for.
unpack_openvino() {
    local unpacked=$work/wheel
    mkdir -p "$2" &&
        logged unzip -q "$1" 'openvino/include/*' 'openvino/libs/*' '*/licenses/*' \
            -x "${openvino_unused[@]/#/openvino/libs/}" -d "$unpacked" &&
        mv "$unpacked/openvino/include" "$2/include" &&
        mv "$unpacked/openvino/libs" "$2/lib" &&
        mv "$unpacked"/openvino-*.dist-info/licenses "$2/licenses" &&
        ln -s "$(basename "$2"/lib/libopenvino.so.*)" "$2/lib/libopenvino.so"
}
