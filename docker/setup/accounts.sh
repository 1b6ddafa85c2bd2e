#!/usr/bin/env bash
# Give kibana_system its password, and the service a user that can do what docs/reference/elasticsearch.md lists, on its own indices only.
set -euo pipefail

put() {
    curl --silent --show-error --fail --user "elastic:$ELASTIC_PASSWORD" --header 'Content-Type: application/json' \
        --request PUT "http://elasticsearch:9200/_security/$1" --data "$2"
    echo
}

put user/kibana_system/_password "{\"password\": \"$KIBANA_PASSWORD\"}"
# `manage` is needed to create an index together with its alias.
put role/sectionary '{"cluster": ["monitor"], "indices": [{"names": ["sectionary*"], "privileges": ["manage", "read", "write"]}]}'
put user/sectionary "{\"password\": \"$SECTIONARY_ES_PASSWORD\", \"roles\": [\"sectionary\"]}"
