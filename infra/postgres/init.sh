#!/usr/bin/env bash
# A database and a role per service, each role with rights on its own database alone. Runs once, on an empty server.
set -euo pipefail

create_role() { # name, password
  psql --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres --quiet --set=role="$1" --set=password="$2" <<'SQL'
create role :"role" login password :'password';
SQL
}

create_database() { # name, owner
  psql --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres --quiet --set=name="$1" --set=owner="$2" <<'SQL'
create database :"name" owner :"owner";
revoke all on database :"name" from public;
SQL
}

for service in gateway identity transfers rates admin integration_log payout_simulator; do
  password="POSTGRES_PASSWORD_${service^^}"
  create_role "vuka_${service}" "${!password:?}"
  create_database "vuka_${service}" "vuka_${service}"
done

# History in the ledger can be added to, never changed, so the service is not the owner of its tables.
create_role vuka_wallet_owner "${POSTGRES_PASSWORD_WALLET_OWNER:?}"
create_role vuka_wallet "${POSTGRES_PASSWORD_WALLET:?}"
create_database vuka_wallet vuka_wallet_owner
psql --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres --quiet \
  --command 'grant connect on database vuka_wallet to vuka_wallet'

# Reads statistics for the profile `observability`, and no table. An `.env` of an earlier release has no password for it.
if [ -n "${POSTGRES_PASSWORD_MONITOR:-}" ]; then
  create_role vuka_monitor "$POSTGRES_PASSWORD_MONITOR"
  psql --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres --quiet --command 'grant pg_monitor to vuka_monitor'
fi
