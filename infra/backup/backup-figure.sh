#!/bin/sh
# Exports the time of the newest backup to Prometheus, for the alert BackupOld. Reads `pgbackrest --output=json info` on
# standard input, and writes the file that node-exporter reads, in the given directory. Called by pgbackrest.cron.
set -eu
directory=${1:-/var/lib/prometheus/node-exporter}
# The newest backup comes last. Only the time at which a backup stopped is a number: its position in the log is a text.
finished=$(grep -o '"stop":[0-9][0-9]*' | tail -n 1 | cut -d : -f 2)
[ -n "$finished" ] || { echo 'pgbackrest info names no backup' >&2; exit 1; }
# Renamed into place, so that node-exporter never reads a partial file.
echo "vuka_backup_finished_seconds $finished" >"$directory/vuka-backup.prom.new"
mv "$directory/vuka-backup.prom.new" "$directory/vuka-backup.prom"
