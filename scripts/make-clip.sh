#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes a test clip of 10 s: 1280x720, H.264, 30 frames a second. A face and barcodes move over a noisy background.
#   scripts/make-clip.sh OUT.mp4 FACE.png [CODE.png...]
# FACE.png: astronaut.png of Debian's python3-skimage. CODE.png: up to six pictures of barcodes.
# Needs ffmpeg (apt-get install ffmpeg). Equal arguments give equal bytes.
set -eu

usage() { sed -n '/^#!/d; /SPDX/d; /^[^#]/q; s/^# \{0,1\}//p' "$0" >&2; exit 64; }
case $# in [2-8]) ;; *) usage ;; esac
command -v ffmpeg >/dev/null || { echo "make-clip: ffmpeg is missing: apt-get install ffmpeg" >&2; exit 69; }
out=$1
shift
for picture in "$@"; do
    [ -r "$picture" ] || { echo "make-clip: cannot read $picture" >&2; exit 66; }
done

frames=300

# The picture of the face is 640x640, the face 144 pixels wide, and swings over the left half in 10 s. Each code gets a
# cell of 320x240 of the right half, a white margin (the quiet zone), and a small circle to move on.
filter="[0]noise=alls=6:allf=t:all_seed=1[scene0];"
filter="${filter}[1]scale=640:640,setsar=1[face];[scene0][face]overlay=x='32-32*cos(2*PI*t/10)':y='60+40*sin(2*PI*t/5)'[scene1];"
inputs=1
for picture in "$@"; do
    [ $inputs -eq 1 ] || {
        cell=$((inputs - 2))
        x=$((672 + cell % 2 * 304))
        row=$((cell / 2))
        y=$((24 + row * 232))
        filter="${filter}[${inputs}]format=rgba,scale=240:160:force_original_aspect_ratio=decrease[code${inputs}];"
        filter="${filter}color=white:s=272x192:r=30[paper${inputs}];"
        filter="${filter}[paper${inputs}][code${inputs}]overlay=x='(W-w)/2':y='(H-h)/2':shortest=1[card${inputs}];"
        filter="${filter}[scene$((inputs - 1))][card${inputs}]overlay=x='$x+12*cos(2*PI*t/4+$cell)':y='$y+12*sin(2*PI*t/4+$cell)'[scene${inputs}];"
    }
    inputs=$((inputs + 1))
done
last=$((inputs - 1))

for picture in "$@"; do
    set -- "$@" -loop 1 -framerate 30 -i "$picture"
    shift
done
# Colours and ends are fixed, because ffmpeg chooses missing ones at random.
background="gradients=s=1280x720:r=30:n=4:speed=0.002:c0=navy:c1=teal:c2=olive:c3=gray:x0=0:y0=0:x1=1279:y1=719"
exec ffmpeg -nostdin -hide_banner -loglevel error -y -f lavfi -i "$background" "$@" \
    -filter_complex "${filter}[scene$last]format=yuv420p[out]" -map "[out]" -frames:v $frames \
    -c:v libx264 -preset medium -crf 23 -g 60 -threads 1 -fflags +bitexact -flags:v +bitexact "$out"
