#!/usr/bin/env bash
# Replaces services of the compose project by the image of VUKA_VERSION, one after the other. Each new container starts
# beside the old one, so that no order fails (docs/runbooks/deploy-and-upgrade.md):
#   infra/replace.sh                 all of them, in the order of an upgrade
#   infra/replace.sh wallet rates    only these
# Set COMPOSE to call compose differently, for example with a profile.
set -euo pipefail
cd "$(dirname "$0")/.."
read -ra COMPOSE <<<"${COMPOSE:-docker compose --env-file .env -f infra/docker-compose.yml}"
# A caller must not be newer than what it calls, and the broker must know every message before a service publishes it.
ORDER=(topology wallet-migrations wallet identity rates integration-log transfers transfers-worker admin gateway)

compose() { "${COMPOSE[@]}" "$@"; }

beside() { # service
  local old count new
  # An interrupted run leaves stopped containers, which compose would start as the new ones.
  compose rm --force "$1" >/dev/null
  mapfile -t old < <(compose ps --quiet "$1")
  count=${#old[@]}
  if ! compose up --detach --no-deps --no-recreate --wait --scale "$1=$((count == 0 ? 1 : 2 * count))" "$1"; then
    # The old containers still work, so only the new ones are removed.
    mapfile -t new < <(compose ps --all --quiet "$1" | grep -vxF "$(printf '%s\n' "${old[@]}")")
    docker logs --tail 20 "${new[0]}" >&2 || true
    docker rm --force "${new[@]}" >/dev/null
    exit 1
  fi
  ((count == 0)) || { docker stop --time 15 "${old[@]}" && docker rm "${old[@]}"; } >/dev/null
}

in_broker() { compose exec -T rabbitmq "$@"; }

# The broker loads its definitions when it starts. During a restart messages wait in the outboxes. The checksum of what it
# has loaded stays until it has restarted: a run after one that was interrupted finds the definitions written already.
topology() {
  in_broker sh -c 'test -s /tmp/vuka-loaded || sha256sum /etc/vuka/definitions.json > /tmp/vuka-loaded'
  compose run --rm --no-deps topology
  in_broker sha256sum --check --status /tmp/vuka-loaded || compose restart rabbitmq
  in_broker rm -f /tmp/vuka-loaded
}

# Two gateways at the same time need two published ports.
has_ports_for_two() { compose config --format json | grep -q '"published": "[0-9]*-[0-9]*"'; }

replace() { # service
  case $1 in
    topology) topology ;;
    wallet-migrations) compose run --rm --no-deps wallet-migrations ;;
    gateway) if has_ports_for_two; then beside gateway; else compose up --detach --no-deps --wait gateway; fi ;;
    *) beside "$1" ;;
  esac
}

[ $# -gt 0 ] || set -- "${ORDER[@]}"
for service; do
  echo "$service..."
  replace "$service"
done
