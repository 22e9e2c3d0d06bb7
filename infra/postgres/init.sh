#!/usr/bin/env bash
# Creates a database and a role per service. Each role may use only its own database. Runs once, on an empty server.
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

# The ledger's history is append-only, so the service must not own its tables.
create_role vuka_wallet_owner "${POSTGRES_PASSWORD_WALLET_OWNER:?}"
create_role vuka_wallet "${POSTGRES_PASSWORD_WALLET:?}"
create_database vuka_wallet vuka_wallet_owner
psql --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres --quiet \
  --command 'grant connect on database vuka_wallet to vuka_wallet'

# The role of the profile `observability` may read statistics, but no table. An older `.env` has no password for it.
if [ -n "${POSTGRES_PASSWORD_MONITOR:-}" ]; then
  create_role vuka_monitor "$POSTGRES_PASSWORD_MONITOR"
  psql --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres --quiet --command 'grant pg_monitor to vuka_monitor'
fi
