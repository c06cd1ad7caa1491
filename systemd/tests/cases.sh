#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The sections of checks.sh, one function each. A section begins with a stopped daemon without state. The script
# checks.sh calls these functions by their names, and sets the variables unit, sockets, subscriber, since and here.
#
# shellcheck disable=SC2154,SC2317

check_activation() {
    check 'sockets listen, the daemon does not run' 'active active inactive' \
        "$(systemctl is-active "${sockets[@]}" "$unit" | paste -sd' ')"
    check 'who and what they are' '660 root glimpsed 660 root glimpsed 755 root root' \
        "$(stat -c '%a %U %G' /run/glimpsed/events.sock /run/glimpsed/control.sock /run/glimpsed | paste -sd' ')"
    check 'a subscriber starts the daemon and gets hello' 'hello ?' "$("$subscriber" hello)"
    check 'it is ready' 'active running' "$(wait_for 'active running' 20 states)"
    check 'the status is a summary' '1 pipeline: 1 running; 0 subscribers' \
        "$(wait_for '*running; 0 *' 5 property StatusText)"
    "$subscriber" rest >/dev/null &
    check 'which follows what is so' '1 pipeline: 1 running; 1 subscriber' \
        "$(wait_for '*1 subscriber' 5 property StatusText)"
    kill $!
    check 'commands by the other socket' '*scene: connected*' "$(glimpsed status 2>&1 | paste -sd' ')"
    check 'its user exists only now, in the groups of cameras and GPUs' 'glimpsed-daemon glimpsed video render' \
        "$(ps -o user:20=,group:20= -p "$(property MainPID)" | xargs) $(groups_of "$(property MainPID)")"
    check 'nothing but the log in the log' '' \
        "$(journalctl --unit "$unit" --no-pager --output json | jq -r 'select(._COMM != "systemd" and (._TRANSPORT == "stdout" or ._TRANSPORT == "syslog")) | "\(._COMM): \(.MESSAGE)"')"
}

states() { echo "$(property ActiveState) $(property SubState)"; }

# outline [PROPERTY]
outline() { echo "$(property ActiveState) ${1+$(property "$1") }$(property StatusText)"; }

groups_of() {
    awk '/^Groups:/ { for (i = 2; i <= NF; i++) print $i }' "/proc/$1/status" |
        while read -r id; do getent group "$id" | cut -d: -f1; done | grep -v '^glimpsed$' | sort -r | paste -sd' '
}

check_readiness() {
    # A camera that accepts connections and never answers.
    python3 -c 'import socket, time; s = socket.create_server(("127.0.0.1", 5541)); time.sleep(60)' &
    local camera=$!
    printf '[source]\nkind = "rtsp"\nurl = "rtsp://127.0.0.1:5541/x"\n[face]\n' >/etc/glimpsed/pipelines/slow.toml
    systemctl start --no-block "$unit"
    check 'not ready while a camera has said nothing' 'activating 2 pipelines: 1 running, 1 connecting; 0 subscribers' \
        "$(wait_for 'activating *1 running, 1 connecting*' 10 outline)"
    check 'events are served already' 'hello 0' "$("$subscriber" hello)"
    check 'ready all the same, after a while' 'active' "$(wait_for active 10 property ActiveState)"
    kill "$camera"
    check 'the status says what there is to mend' '*1 running, 1 retrying (slow: *' \
        "$(wait_for '*1 retrying (slow: *' 30 property StatusText)"
}

check_reload() {
    systemctl start "$unit"
    local main
    main=$(property MainPID)
    printf '[source]\nkind = "test"\n[barcode]\nmax_rate = 5\n' >/etc/glimpsed/pipelines/scene.toml
    printf '[source]\nkind = "test"\n[barcode]\n' >/etc/glimpsed/pipelines/second.toml
    systemctl reload "$unit"
    check 'a good one succeeds, in the same process' "0 $main" "$? $(property MainPID)"
    check 'it is in force' '*second: *' "$(glimpsed status 2>&1 | paste -sd' ')"
    check 'the status follows' '2 pipelines: 2 running; *' "$(wait_for '2 pipelines: 2 running*' 10 property StatusText)"
    echo 'kind = 3' >>/etc/glimpsed/pipelines/second.toml
    systemctl reload "$unit" 2>/dev/null
    check 'a bad one fails' '1' "$?"
    check 'with the reason' '<3>reload: /etc/glimpsed/pipelines/second.toml:4: *' "$(said 'reload: /etc')"
    check 'and changes nothing' "active $main 2 pipelines: 2 running; *" \
        "$(wait_for "active*2 running*" 5 outline MainPID)"
    check 'SIGHUP too' '2' "$(kill -HUP "$main"; wait_for 2 5 refusals)"
}

refusals() { journalctl --since "@$since" EVENT=reload_refused --output cat --no-pager | wc -l; }

check_journal() {
    systemctl start "$unit"
    check 'by pipeline and event, with its priority' '6 scene worker_started 9c260f93a0eb4b629a94f460b86d706e glimpsed' \
        "$(journalctl --since "@$since" PIPELINE=scene EVENT=worker_started --output json --no-pager |
            jq -r '[.PRIORITY, .PIPELINE, .EVENT, .MESSAGE_ID, .SYSLOG_IDENTIFIER] | join(" ")' | tail -n 1)"
    check 'by detector' '*the detector is operational*barcode*' \
        "$(journalctl --since "@$since" DETECTOR=barcode --output json --no-pager | jq -r '.MESSAGE + .DETECTOR' | tail -n 1)"
    pkill -KILL -f 'glimpsed-worker serve'
    check 'what went wrong is a warning' '*source lost*' \
        "$(wait_for '*source lost*' 10 journalctl --since "@$since" PIPELINE=scene EVENT=source_state -p warning -o cat --no-pager)"
}

# connects_during FEWEST COMMAND: connects again and again meanwhile, FEWEST times at least. Prints the number of
# connects and what became of them.
connects_during() {
    touch /tmp/connecting
    "$subscriber" connect /tmp/connecting "$1" &
    local connector=$!
    "${@:2}" >/dev/null
    sleep 1
    rm /tmp/connecting
    wait "$connector"
}

restart_three_times() {
    for _ in 1 2 3; do
        sleep 0.5
        systemctl restart "$unit"
    done
}

kill_daemon() {
    kill -KILL "$(property MainPID)"
    wait_for 1 10 property NRestarts
}

check_restarts() {
    local seen
    seen=$(connects_during 51 restart_three_times)
    check 'no connection is refused, each has its hello' 'connects=* refused=0 hello=* end=0' "$seen"
    check 'and there were many' 'many' "$(awk -F '[ =]' '$2 == $6 && $2 > 50 { print "many" }' <<<"$seen")"
    seen=$(connects_during 12 kill_daemon)
    # One connection at a time: the killed daemon may have accepted one that it had not greeted yet.
    check 'nor is one refused after a kill, and all but one have their hello' 'connects=* refused=0 hello=* end=[01]' "$seen"
    check 'all are known' 'all' "$(awk -F '[ =]' '$2 == $6 + $8 && $6 > 10 { print "all" }' <<<"$seen")"
}

check_watchdog() {
    drop_in $'WatchdogSec=2\nTimeoutAbortSec=1'
    systemctl start "$unit"
    sleep 3
    check 'a daemon that works is left alone' '0' "$(property NRestarts)"
    kill -STOP "$(property MainPID)"
    check 'a daemon that is frozen is started again' '1' "$(wait_for 1 20 property NRestarts)"
    check 'because of the watchdog' '*Watchdog timeout*' "$(said 'Watchdog timeout')"
    check 'and works' 'hello *' "$("$subscriber" hello)"
    # The daemon, its zygote and a worker.
    check 'nothing of the old one is left' '3' "$(wait_for 3 10 eval 'pgrep -c glimpsed')"
}

# lives FILE: prints the number of tracks that begin in these lines, and the tracks without an end.
lives() {
    grep '^{' "$1" | jq -rs '[.[] | select(.type == "detected").track.id] as $begun
        | [.[] | select(.type == "completed").track.id] as $ended | "\($begun | length) begun, \($begun - $ended) open"'
}

check_kill() {
    systemctl start "$unit"
    glimpsed watch --json >/tmp/watched &
    local watcher=$!
    sleep 3
    kill -KILL "$(property MainPID)"
    check 'it is started again' '1' "$(wait_for 1 20 property NRestarts)"
    wait_for 'active' 20 property ActiveState >/dev/null
    sleep 3
    systemctl stop "${sockets[@]}" "$unit" 2>/dev/null
    kill "$watcher"
    wait "$watcher"
    check 'the run goes on' '1 2' "$(jq -r 'select(.run_id).run_id' /tmp/watched | sort -u | wc -l) $(grep -c '"type":"hello"' /tmp/watched)"
    check 'every track has its end, of those that were live when it died too' '[1-9]* begun, [] open' "$(lives /tmp/watched)"
    check 'a reader that came back misses nothing' '0' "$(glimpsed conform --open /tmp/watched >/tmp/verdict; echo $?)"
    [[ -s /tmp/verdict ]] && head -c 500 /tmp/verdict
}

check_configuration() {
    echo 'nonsense = 1' >>/etc/glimpsed/config.toml
    check 'who waits for a daemon that cannot start is told' 'error *' "$("$subscriber" hello)"
    check 'no restart after a configuration error' 'failed exit-code 78 0' \
        "$(wait_for 'failed *' 10 property ActiveState) $(property Result) $(property ExecMainStatus) $(property NRestarts)"
    local invocation
    invocation=$(property InvocationID)
    sleep 2
    check 'nor later' "failed $invocation" "$(property ActiveState) $(property InvocationID)"
    check 'the reason is an error in the log' '<3>*config.toml:5: *nonsense*' "$(said nonsense)"
    sed -i '/nonsense/d' /etc/glimpsed/config.toml
    check 'mended, the next subscriber starts it' 'hello *' "$("$subscriber" hello)"
    systemctl stop "$unit" 2>/dev/null
    chmod 600 /etc/glimpsed/config.toml
    since=$(date +%s)
    systemctl start "$unit" 2>/dev/null
    check 'a configuration that it may not read' 'failed 78 <3>*config.toml*ermission*' \
        "$(property ActiveState) $(property ExecMainStatus) $(said 'config.toml.*ermission')"
    chmod 644 /etc/glimpsed/config.toml
}

check_stop() {
    systemctl start "$unit"
    "$subscriber" rest >/tmp/rest &
    local reader=$!
    sleep 4
    local start=$SECONDS
    systemctl stop "$unit" 2>/dev/null
    check 'within the limit, as asked for' 'success 1' "$(property Result) $((SECONDS - start < 10))"
    wait "$reader"
    check 'a subscriber sees every track end' '[1-9]* begun, [] open' "$(lives /tmp/rest)"
    check 'because of the end' '[1-9]*' "$(grep -c '"reason":"shutdown"' /tmp/rest)"
    # A frozen worker does not delay the stop.
    systemctl start "$unit"
    sleep 1
    pkill -STOP -f 'glimpsed-worker serve'
    start=$SECONDS
    systemctl stop "$unit" 2>/dev/null
    check 'with a frozen worker too' 'success 1' "$(property Result) $((SECONDS - start < 12))"
    check 'what it said' '*stopped' "$(said '>stopped')"
}

check_disk() {
    rm -rf /var/lib/private/glimpsed /var/lib/glimpsed /var/cache/private/glimpsed
    systemctl start "$unit"
    check 'missing folders are made' 'active glimpsed-daemon glimpsed-daemon' \
        "$(property ActiveState) $(stat -c %U /var/lib/private/glimpsed /var/cache/private/glimpsed | paste -sd' ')"
    systemctl stop "$unit" 2>/dev/null
    rm -rf /etc/glimpsed/credentials
    systemctl start "$unit"
    check 'without a folder of credentials too' 'active' "$(property ActiveState)"
    systemctl stop "$unit" 2>/dev/null
    mount -t tmpfs -o size=64k,mode=755 tmpfs /var/lib/private/glimpsed
    dd if=/dev/zero of=/var/lib/private/glimpsed/filler bs=4k 2>/dev/null
    systemctl start "$unit"
    check 'a full disk: events go on without a journal' 'active 1' \
        "$(property ActiveState) $("$subscriber" collect 3 | jq -s '[.[] | select(.type == "update")] | length > 0 | if . then 1 else 0 end')"
    check 'and it says so' '<4>*journal on disk*' "$(said 'journal on disk')"
    systemctl stop "$unit" 2>/dev/null
    umount /var/lib/private/glimpsed
    mount -o remount,bind,ro /
    systemctl start "$unit"
    check 'a root that is read-only' 'ro active 1' \
        "$(findmnt --noheadings --output OPTIONS / | cut -d, -f1) $(property ActiveState) $("$subscriber" collect 3 | jq -s '[.[] | select(.type == "update")] | length > 0 | if . then 1 else 0 end')"
    systemctl stop "$unit" 2>/dev/null
    mount -o remount,bind,rw /
}

check_camera() {
    mknod -m 660 /dev/video0 c 81 0
    chgrp video /dev/video0
    drop_in 'SupplementaryGroups='
    printf '[source]\nkind = "v4l2"\ndevice = "/dev/video0"\n[face]\n' >/etc/glimpsed/pipelines/door.toml
    systemctl start "$unit"
    check 'without the cameras'"'"' group the others go on, and the status says which does not' \
        '2 pipelines: 1 running, 1 retrying (door: */dev/video0*ermission*' \
        "$(wait_for '*1 running, 1 retrying*' 20 property StatusText)"
    rm /dev/video0
}

# A face and a symbol beside it, as a film and as a network camera with a password.
make_media() {
    local folder=/srv/glimpse caps='video/x-raw,framerate=15/1'
    mkdir -p "$folder"
    /usr/libexec/glimpsed/glimpsed-worker symbol qr_code GLIMPSE --scale 8 --output "$folder/symbol.pgm"
    gst-launch-1.0 -q compositor name=both sink_1::xpos=560 sink_1::ypos=100 background=white \
        ! video/x-raw,format=I420,width=832,height=512,framerate=15/1 ! jpegenc ! avimux ! filesink location="$folder/film.avi" \
        filesrc location=/usr/share/glimpsed/demo/astronaut.png ! pngdec ! imagefreeze num-buffers=60 ! "$caps" \
        ! videoconvert ! both. \
        filesrc location="$folder/symbol.pgm" ! pnmdec ! imagefreeze num-buffers=60 ! "$caps" ! videoconvert ! both.
    gst-launch-1.0 -q filesrc location="$folder/film.avi" ! avidemux ! image/jpeg ! identity eos-after=2 \
        ! filesink location="$folder/picture.jpg"
}

check_work() {
    make_media
    printf 'geheim42\n' | install -m 600 /dev/stdin /etc/glimpsed/credentials/rtsp
    python3 "$here/rtsp-server.py" 5540 digest 832x512 geheim42 /srv/glimpse/picture.jpg >/dev/null 2>&1 &
    local camera=$!
    rm /etc/glimpsed/pipelines/*
    printf '[source]\nkind = "file"\npath = "/srv/glimpse/film.avi"\npace = "realtime"\nloop = true\n[face]\n[barcode]\n' \
        >/etc/glimpsed/pipelines/film.toml
    for transport in tcp udp; do
        printf '[source]\nkind = "rtsp"\nurl = "rtsp://127.0.0.1:5540/test"\nuser = "viewer"\ntransport = "%s"\n' "$transport"
        printf 'password_credential = "rtsp"\n[face]\n[barcode]\n'
    done | csplit --quiet --prefix=/etc/glimpsed/pipelines/part - '/^\[source\]/' '{1}'
    mv /etc/glimpsed/pipelines/part01 /etc/glimpsed/pipelines/tcp.toml
    mv /etc/glimpsed/pipelines/part02 /etc/glimpsed/pipelines/udp.toml
    rm /etc/glimpsed/pipelines/part00
    systemctl start "$unit"
    wait_for '3 pipelines: 3 running*' 20 property StatusText >/dev/null
    # A busy machine takes longer.
    for _ in 1 2 3 4; do
        "$subscriber" collect 6 >>/tmp/collected
        (($(jq -r 'select(.type == "update").pipeline + .kind' /tmp/collected | sort -u | wc -l) < 6)) || break
    done
    for pipeline in film tcp udp; do
        check "$pipeline: a face and a symbol" 'barcode GLIMPSE face' \
            "$(jq -r --arg pipeline "$pipeline" 'select((.type == "detected" or .type == "update") and .pipeline == $pipeline)
                | .kind + (if .barcode then " " + .barcode.raw else "" end)' /tmp/collected | sort -u | paste -sd' ')"
    done
    check 'faces by OpenVINO' 'yunet*' \
        "$(jq -r 'select(.type == "hello").pipelines[].detectors[] | select(.kind == "face" or .name == "face").model' /tmp/collected | sort -u | paste -sd' ')"
    local filters
    filters=$(grep -h Seccomp_filters "/proc/$(property MainPID)/status" \
        "/proc/$(pgrep -f 'glimpsed-worker serve' | head -n 1)/status" | awk '{ print $2 }' | paste -sd' ')
    check 'workers are in a sandbox of their own: one filter more than the daemon has' "* $((${filters%% *} + 1))" "$filters"
    check 'files too' '[1-9]*' "$(glimpsed status --json | jq .sandbox.landlock)"
    check 'compiled models are kept' '*.graph' "$(find /var/cache/private/glimpsed -name '*.graph' | head -n 1)"
    check 'workers can shut themselves in, inside of the unit'"'"'s sandbox' 'true' "$(glimpsed status --json | jq -c .sandbox.seccomp)"
    kill "$camera"
}

# A detector of the system's own as a program, inside of the unit's sandbox.
check_external() {
    mkdir -p /srv/glimpse
    cat >/srv/glimpse/probe.py <<'PROGRAM'
import os
import socket

import glimpse_detector


def tried(action):
    try:
        action()
    except OSError as error:
        return error.errno
    return 0


def detect(frame):
    found = {
        "value": "probe",
        "fork": tried(os.fork),
        "socket": tried(lambda: socket.socket(socket.AF_UNIX)),
        "settings": tried(lambda: open("/etc/glimpsed/config.toml")),
        "own": tried(lambda: open("own", "w").close()),
    }
    return [glimpse_detector.Detection((0, 0, 40, 40), 0.9, attributes=found)]


glimpse_detector.run(detect, name="probe")
PROGRAM
    printf '[source]\nkind = "test"\n[barcode]\n[external.probe]\nkind = "probe"\ncommand = ["python3", "/srv/glimpse/probe.py"]\n' \
        >/etc/glimpsed/pipelines/scene.toml
    systemctl start "$unit"
    wait_for '1 pipeline: 1 running*' 20 property StatusText >/dev/null
    wait_for '[1-9]*' 20 program >/dev/null
    check 'its detections are events, and it has no right but its own folder' \
        '{"fork":1,"own":0,"settings":13,"socket":1,"value":"probe"}' "$(wait_for '{*' 20 probed)"
    local main
    main=$(program)
    kill -9 "$main"
    check 'a killed one is said' '*probe*' "$(wait_for '*probe*' 20 said 'probe')"
    check 'and started again' 'another' "$(wait_for another 60 other_program "$main")"
    check 'without a restart of the worker' '0' "$(glimpsed status --json | jq '.pipelines[0].restarts')"
    check 'with events' '{"fork":1,*' "$(wait_for '{*' 60 probed)"
    systemctl stop "$unit"
    check 'none is left' '' "$(program)"
}

program() { pgrep -f '^python3 /srv/glimpse/probe.py'; }
other_program() { [[ -n $(program) && $(program) != "$1" ]] && echo another; }
probed() {
    "$subscriber" collect 2 | jq -cS 'select(.kind == "probe" and .probe).probe' | head -n 1
}

# Events of the daemon at a broker and at a webhook. The package of the relay is one of its own. The broker and the
# receiver are of this machine.
check_relay() {
    if ! command -v glimpsed-relay mosquitto mosquitto_sub >/dev/null; then
        echo "skip $section: there is no relay or no mosquitto here"
        return
    fi
    mkdir -p /srv/glimpse
    printf 'listener 1883 127.0.0.1\nallow_anonymous false\npassword_file /srv/glimpse/users\n' >/srv/glimpse/broker.conf
    rm -f /srv/glimpse/users
    touch /srv/glimpse/users
    mosquitto_passwd -b /srv/glimpse/users glimpse geheim42
    chmod 644 /srv/glimpse/users
    install -d /etc/glimpsed/relay-credentials
    printf 'geheim42\n' | install -m 600 /dev/stdin /etc/glimpsed/relay-credentials/broker
    printf 'hook-geheim43\n' | install -m 600 /dev/stdin /etc/glimpsed/relay-credentials/hook
    printf 'box = "hall"\n[[mqtt]]\nname = "home"\nurl = "mqtt://127.0.0.1:1883"\nuser = "glimpse"\npassword_credential = "broker"\n' \
        >/etc/glimpsed/relay.toml
    printf '[[webhook]]\nname = "desk"\nurl = "http://127.0.0.1:8099/hook"\nsecret_credential = "hook"\ntypes = ["detected"]\nbatch = 1\n' \
        >>/etc/glimpsed/relay.toml
    check 'its configuration' '*no errors; 2 destinations*' "$(CREDENTIALS_DIRECTORY=/etc/glimpsed/relay-credentials glimpsed-relay --check 2>&1)"
    systemctl start glimpsed-relay.service
    check 'it runs before its daemon and its broker' 'active running' "$(relay_states)"
    mosquitto -c /srv/glimpse/broker.conf >/dev/null 2>&1 &
    local broker=$!
    rm -f /srv/glimpse/batches
    python3 "$here/hook.py" 8099 /etc/glimpsed/relay-credentials/hook /srv/glimpse/batches 2>/dev/null &
    local hook=$!
    systemctl start "$unit"
    check 'the daemon is online at the broker' 'online' "$(wait_for online 30 topic glimpse/hall/status)"
    check 'and its pipeline' 'online' "$(wait_for online 30 topic glimpse/hall/scene/status)"
    check 'events arrive' 'detected' "$(topic glimpse/hall/scene/event 30 | jq -r .type)"
    check 'signed batches arrive at the webhook' 'detected' "$(wait_for detected 30 tail -n 1 /srv/glimpse/batches)"
    check 'status shows it' '*home (mqtt): connected to mqtt://127.0.0.1:1883*' "$(glimpsed status 2>&1)"
    check 'its socket belongs to the group' '660 glimpsed 750 glimpsed' \
        "$(stat -c '%a %G' /run/glimpsed-relay/control.sock /run/glimpsed-relay | paste -sd' ')"
    systemctl stop glimpsed-relay.service
    check 'its end is known' 'offline' "$(wait_for offline 10 topic glimpse/hall/status)"
    check 'its cursors outlive it' 'desk.cursor home.cursor' \
        "$(find /var/lib/private/glimpsed-relay -name '*.cursor' -printf '%f\n' | sort | paste -sd' ')"
    check 'no password in its log' '' "$(journalctl --unit glimpsed-relay.service --no-pager | grep geheim4)"
    check 'exposure' '*[01].[0-9] OK*' "$(systemd-analyze security --no-pager glimpsed-relay.service | tail -n 1)"
    printf 'box = "a b"\n' >/etc/glimpsed/relay.toml
    systemctl start glimpsed-relay.service
    check 'an error in its configuration is no reason to try again' '78 failed' \
        "$(wait_for '78 failed' 10 relay_failure)"
    systemctl reset-failed glimpsed-relay.service
    kill "$broker" "$hook"
    rm /etc/glimpsed/relay.toml
}

relay_states() { systemctl show --property ActiveState,SubState --value glimpsed-relay.service | paste -sd' '; }
relay_failure() { systemctl show --property ExecMainStatus,ActiveState --value glimpsed-relay.service | paste -sd' '; }
# topic NAME [SECONDS]: prints a message.
topic() { mosquitto_sub -u glimpse -P geheim42 -t "$1" -C 1 -W "${2:-2}" 2>/dev/null; }

# The page behind the socket of its unit: it has no network of its own.
check_web() {
    if ! command -v glimpsed-web curl >/dev/null; then
        echo "skip $section: there is no page or no curl here"
        return
    fi
    printf '[control]\nallow_groups = ["glimpsed-control"]\n' >>/etc/glimpsed/config.toml
    install -d /etc/glimpsed/web-credentials
    printf 'correct-horse-battery\n' | install -m 600 /dev/stdin /etc/glimpsed/web-credentials/page
    printf 'token_credential = "page"\n' >/etc/glimpsed/web.toml
    systemctl start "$unit"
    wait_for '1 pipeline: 1 running*' 300 property StatusText >/dev/null
    systemctl start glimpsed-web.socket
    check 'nobody has asked for the page' 'inactive' "$(systemctl show --property ActiveState --value glimpsed-web.service)"
    check 'the first request starts it' '401' "$(page_status /)"
    local link
    link=$(glimpsed web open)
    check 'a link begins a session' '*303*glimpse=*' "$(curl -s -i "$link" | tr -d '\r' | grep -E '^HTTP|^Set-Cookie' | paste -sd' ')"
    check 'once' '401' "$(curl -s -o /dev/null -w '%{http_code}' "$link")"
    check 'the page is whole' 'main.js' "$(page / | grep -o -m 1 'src=.*main\.js' | grep -o 'main\.js')"
    check 'the event socket is connected' '200' "$(wait_for 200 30 page_status /healthz)"
    check 'the control socket answers' 'connected' "$(wait_for connected 30 page_state)"
    check 'a picture comes from the worker' 'image/jpeg' \
        "$(page '/api/pipelines/scene/picture.jpg?width=320' -o /tmp/page.jpg -w '%{content_type}')"
    check 'it is a picture' 'JPEG image data' "$(file -b /tmp/page.jpg | cut -d, -f1)"
    check 'the viewer is in the log' '*view of pipeline scene*' "$(said 'view of pipeline scene')"
    check 'exposure' '*0.[0-9] SAFE*' "$(systemd-analyze security --no-pager glimpsed-web.service | tail -n 1)"
    check 'no token in its log' '' "$(journalctl --unit glimpsed-web.service --no-pager | grep correct-horse)"
    systemctl stop glimpsed-web.socket glimpsed-web.service
    rm /etc/glimpsed/web.toml
    mkdir -p /etc/systemd/system/glimpsed-web.socket.d
    printf '[Socket]\nListenStream=0.0.0.0:8421\n' >/etc/systemd/system/glimpsed-web.socket.d/open.conf
    sed -i 's/^\[Socket\]/[Socket]\nListenStream=/' /etc/systemd/system/glimpsed-web.socket.d/open.conf
    systemctl daemon-reload
    systemctl start glimpsed-web.socket
    curl -s -m 5 http://127.0.0.1:8421/ >/dev/null
    check 'an open address without a token is refused' '78 failed' "$(wait_for '78 failed' 10 page_failure)"
    systemctl stop glimpsed-web.socket glimpsed-web.service
    rm -r /etc/systemd/system/glimpsed-web.socket.d
    systemctl daemon-reload
    systemctl reset-failed glimpsed-web.socket glimpsed-web.service
}

# page PATH [OPTION...]: prints the answer of the page to a request with the token.
page() { curl -s -m 20 -H 'Authorization: Bearer correct-horse-battery' "http://127.0.0.1:8420$1" "${@:2}"; }
page_status() { curl -s -m 20 -o /dev/null -w '%{http_code}' "http://127.0.0.1:8420$1"; }
page_state() { page /api/pipelines | jq -r '.pipelines[0].state'; }
page_failure() { systemctl show --property ExecMainStatus,ActiveState --value glimpsed-web.service | paste -sd' '; }

# Needs the controller, which the namespaces of a machine with cgroup v1 do not have; make qemu-test has it.
check_shares() {
    if ! grep -qw cpu /sys/fs/cgroup/cgroup.controllers; then
        echo "skip $section: there is no cpu controller of cgroup v2 here"
        return
    fi
    group=/sys/fs/cgroup/system.slice/$unit/worker-scene
    systemctl start "$unit"
    wait_for '1 pipeline: 1 running*' 300 property StatusText >/dev/null
    printf '[workers]\ncpu_weight = 50\ncpu_limit = 0.5\n' >>/etc/glimpsed/config.toml
    systemctl reload "$unit"
    check "a worker's group has its share and its limit after a reload" '50 50000 100000' \
        "$(wait_for '50 50000 *' 300 limits cpu.weight)"
    check 'and the worker is in it' '*glimpsed-worker*serve*' "$(ps -o args= -p "$(head -n 1 "$group/cgroup.procs")")"
    check 'the kernel holds it back' 'throttled' "$(wait_for throttled 300 throttled)"
    sed -i '/^cpu_/d' /etc/glimpsed/config.toml
    echo 'nice = 7' >>/etc/glimpsed/config.toml
    systemctl reload "$unit"
    check 'a nicer worker is in a nicer group, without a limit' '7 max 100000' "$(wait_for '7 max *' 300 limits cpu.weight.nice)"
    check 'no complaint' '' "$(said 'no effect\|control group')"
}

# limits FILE: prints this file of the worker's control group, and the group's CPU limit.
limits() { cat "$group/$1" "$group/cpu.max" | paste -sd' '; }
throttled() { (($(awk '/^nr_throttled/ { print $2 }' "$group/cpu.stat") > 0)) && echo throttled; }

check_sandbox() {
    printf 'geheim42\n' | install -m 600 /dev/stdin /etc/glimpsed/credentials/rtsp
    mknod -m 666 /dev/glimpse-probe-mem c 1 1
    mknod -m 666 /dev/glimpse-probe-disk b 7 0
    # The service's own file, except for its program and the report of its end.
    sed -e "s|^ExecStart=.*|ExecStart=$here/probe.py|" -e 's/^Type=.*/Type=oneshot/' -e '/^Requires=/d' -e '/^After=/d' \
        -e '/^ExecReload=/d' -e '/^Watchdog/d' -e '/^Restart/d' "/usr/lib/systemd/system/$unit" >/run/systemd/system/glimpse-probe.service
    systemctl daemon-reload
    systemctl start glimpse-probe.service 2>/dev/null
    while read -r verdict name; do
        check "${name%% -- *}" 'ok *' "$verdict ${name##* -- }"
    done < <(journalctl --unit glimpse-probe.service --output cat --no-pager | grep -E '^(ok|FAIL) ')
    check 'all probes were made' 'success' "$(property Result glimpse-probe.service)"
    check 'exposure' '*1.[0-5] OK*' "$(systemd-analyze security --no-pager "$unit" | tail -n 1)"
}

# The commands of the documents that are for an installed daemon.
check_documents() {
    if [[ ! -d $here/docs ]]; then
        echo "skip $section: there are no documents here"
        return
    fi
    check 'their commands work' '[1-9]* blocks * 0 complaints' \
        "$("$here/scripts/page_commands.py" --runner systemd --bin /usr/bin 2>&1)"
}

check_failed_units() {
    check 'none' '' "$(systemctl list-units --state=failed --no-legend --plain | awk '{ print $1 }' | grep glimpsed | paste -sd' ')"
}
