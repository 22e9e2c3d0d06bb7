"""Keeps every transfer event once in a database of its own. Stop it, kill it, start it again: none is lost or doubled."""
import http.client, json, os, sqlite3, time, urllib.request

VUKA = os.environ.get("VUKA", "http://127.0.0.1:3000")
db = sqlite3.connect(os.environ.get("DATABASE", "transfers.db"), isolation_level=None)
db.execute("""create table if not exists events (id text primary key, type text, transfer text, event text,
    generation integer not null default 0)""")
db.execute("create table if not exists place (row integer primary key check (row = 1), id text)")
# Each gap begins a generation of events. Those after `since` are still kept by Vuka, which sends them again.
db.execute("create table if not exists gaps (since text)")
db.execute("""create view if not exists lost as select * from events where generation < (select count(*) from gaps)
    and json_extract(event, '$.time') > (select max(since) from gaps)""")
BEGIN_GENERATION = "insert into gaps values (strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-7 days'))"
# The rows of `lost` at the last heartbeat after a gap; None if there is nothing to count. Counted again after a restart.
lost = -1 if db.execute("select 1 from gaps").fetchone() else None


def keep(block):
    global lost
    is_new, event = False, None
    db.execute("begin")
    if block.get("event") == "gap":
        db.execute(BEGIN_GENERATION)
        lost = -1
    elif "data" in block:
        event = json.loads(block["data"])
        row = (event["id"], event["type"], event["data"]["transferId"], block["data"])
        insert = "insert into events values (?, ?, ?, ?, (select count(*) from gaps)) on conflict do nothing"
        is_new = db.execute(insert, row).rowcount == 1
        if not is_new:
            db.execute("update events set generation = (select count(*) from gaps) where id = ?", row[:1])
    if "id" in block:
        db.execute("insert or replace into place values (1, ?)", (block["id"],))
    db.execute("commit")
    # After the commit, so that a repeat prints nothing again. A crash in between loses the line, not the event.
    if is_new and block["event"] == "transfer.settled.v1":
        data = event["data"]
        print(data["type"], data["transferId"], "settled:", data["targetAmount"], data["targetCurrency"], flush=True)
    if lost is not None and "id" in block and "data" not in block:
        count_lost()


def count_lost():
    global lost
    before, (lost,) = lost, db.execute("select count(*) from lost").fetchone()
    if lost != before:
        print("after a gap,", lost, "events have not come again yet, and may be lost: see the view `lost`", flush=True)
    else:
        lost = None  # the number stays the same: everything that is kept has come again


def read():
    global lost
    place = db.execute("select id from place").fetchone()
    headers = {"Authorization": "Bearer " + os.environ["VUKA_API_KEY"]}
    if place:
        headers["Last-Event-ID"] = place[0]
    request = urllib.request.Request(VUKA + "/api/feed/transfers?from=oldest", headers=headers)
    try:
        stream = urllib.request.urlopen(request, timeout=45)  # three heartbeats
    except urllib.error.HTTPError as refusal:
        if refusal.code == 400 and place:  # the feed does not know this place: as after a gap, all events come
            db.execute(BEGIN_GENERATION)
            db.execute("delete from place")
            lost = -1
        raise
    with stream:
        block = {}
        for line in stream:
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name:
                block[name] = value
            else:
                keep(block)
                block = {}


while True:
    try:
        read()
    except urllib.error.HTTPError as refusal:
        print(refusal.code, refusal.read().decode(), flush=True)
    except (OSError, http.client.HTTPException) as error:  # a timeout, or a lost connection
        print(repr(error), flush=True)
    time.sleep(2)  # as the stream's `retry` says
