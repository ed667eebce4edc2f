#!/bin/sh
# Hands the open deals of one rep to another. Speaks the line protocol with printf, read and grep.
from=USR-004 to=USR-003 actor=USR-001
calls=0

finish() { # finish TEXT
    printf '{"type":"output","output":"%s"}\n' "$1" >&"$SILO_WRITE_FD"
    exit 0
}

call() { # call NAME INPUT: the engine's line is in $answer
    calls=$((calls + 1))
    printf '{"type":"call","callId":%s,"name":"%s","input":%s}\n' "$calls" "$1" "$2" >&"$SILO_WRITE_FD"
    IFS= read -r answer <&"$SILO_READ_FD" || exit 1
    case $answer in '{"type":"stop"'*) finish "I ran out of calls." ;; esac
}

IFS= read -r start <&"$SILO_READ_FD" || exit 1
echo "started with ${#start} bytes" # goes to agent.log

call list_opportunities "{\"ownerId\": \"$from\", \"status\": \"open\", \"limit\": 500}"
moved=0
for id in $(printf '%s' "$answer" | grep -o '"id": *"OPP-[0-9]*"' | grep -o 'OPP-[0-9]*'); do
    call reassign_opportunity "{\"opportunityId\": \"$id\", \"newOwnerId\": \"$to\", \"actorUserId\": \"$actor\"}"
    case $answer in *',"is_error":true}') echo "$id: $answer" ;; *) moved=$((moved + 1)) ;; esac
done
finish "Moved $moved deals."
