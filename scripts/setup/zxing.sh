# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# ZXing-C++: always at .deps/zxing/lib/libZXing.a, its headers in .deps/zxing/include or with the system's. Sourced by
# scripts/setup.sh.

zxing_state=

install_zxing() {
    local name version
    case ${GLIMPSE_ZXING-} in
        system) # a link that is named like the static library; its headers are found without one
            name=zxing-system
            { mkdir -p "$deps/$name/lib" &&
                ln -sfn "$(pkg-config --variable=libdir zxing)/libZXing.so" "$deps/$name/lib/libZXing.a"; } 2>>"$log" ||
                fail_to_write "$deps/$name"
            zxing_state="system ZXing $(pkg-config --modversion zxing)"
            ;;
        *)
            version=${GLIMPSE_ZXING:-$(pinned_zxings | head -1)}
            pinned_zxings | grep --quiet --line-regexp --fixed-strings "$version" ||
                fail "GLIMPSE_ZXING=$version" "set it to system or $(pinned_zxings | paste -sd ,), or unset it"
            name=zxing-$version
            [[ -e $deps/$name/lib/libZXing.a ]] || build_zxing "$version" "$name"
            zxing_state="ZXing $version"
            ;;
    esac
    if [[ $(readlink "$deps/zxing") != "$name" ]]; then
        { ln -sfn "$name" "$work/zxing" && mv -fT "$work/zxing" "$deps/zxing"; } 2>>"$log" || fail_to_write "$deps/zxing"
        # Make does not notice that a header is now in another folder.
        rm -rf "$root"/.build/*/*/CZXing.build
    fi
}

# pinned_zxings: the versions of the requirements file, one a line, the default first.
pinned_zxings() { sed -n 's/^zxing-cpp==\([0-9.]*\).*/\1/p' "$root/scripts/zxing-requirements.txt"; }

# build_zxing VERSION NAME: builds the C++ library as a static library in .deps/NAME. The source archive is that of the
# Python package on PyPI, and pip checks its pinned hash.
build_zxing() {
    local source=$work/zxing_cpp-$1
    say "building ZXing $1 (a minute or two)"
    grep "^zxing-cpp==$1 " "$root/scripts/zxing-requirements.txt" >"$work/zxing-requirements.txt"
    logged python_with_pip -m pip download --dest "$work" --no-deps --require-hashes --no-binary zxing-cpp \
        --requirement "$work/zxing-requirements.txt" ||
        fail "pip could not fetch ZXing $1" \
            "repair the error of pip above (network, PyPI), then run set-up again, or use Debian's with GLIMPSE_ZXING=system"
    { tar -xzf "$source.tar.gz" -C "$work" && cmake_zxing "$source/core" "$work/zxing-build" "$work/$2" &&
        install_zxing_license "$source" "$work/$2"; } >>"$log" 2>&1 ||
        fail "ZXing $1 could not be built" \
            "repair the error of the compiler above, then run set-up again, or use Debian's with GLIMPSE_ZXING=system"
    rm -rf "${deps:?}/$2" "$source" "$source.tar.gz" "$work/zxing-build"
    mv -T "$work/$2" "$deps/$2" 2>>"$log" || fail_to_write "$deps/$2"
}

# install_zxing_license SOURCE PREFIX. Archives before 3 have the name of the licence (Apache-2.0) in PKG-INFO only.
install_zxing_license() {
    local text=$1/LICENSE
    [[ -e $text ]] || text=$1/PKG-INFO
    install -D -m 644 "$text" "$2/licenses/LICENSE"
}

# cmake_zxing SOURCE BUILD PREFIX. MultiFormatWriter is the "old" writer; the new one would bring another library with
# it. With C++20, 2.x has its better detector of Data Matrix.
cmake_zxing() {
    cmake -S "$1" -B "$2" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$3" -DCMAKE_INSTALL_LIBDIR=lib \
        -DBUILD_SHARED_LIBS=OFF -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DZXING_WRITERS=OLD \
        -DBUILD_READERS=ON -DBUILD_WRITERS=ON -DCMAKE_CXX_STANDARD=20 &&
        cmake --build "$2" --parallel "$(nproc)" --target install
}
