#!/usr/bin/env bash
# Import the data views and saved searches into Kibana; a second run replaces them.
set -euo pipefail

answer=$(curl --silent --show-error --fail --user "elastic:$ELASTIC_PASSWORD" --header 'kbn-xsrf: true' \
    --form file=@/kibana.ndjson 'http://kibana:5601/api/saved_objects/_import?overwrite=true')
echo "$answer"
# Kibana answers 200 even when it refused an object.
[[ $answer == *'"success":true'* ]]
