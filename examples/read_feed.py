"""Keeps every transfer event once in a database of its own. Stop it, kill it, start it again: none is lost or doubled."""
import http.client, json, os, sqlite3, time, urllib.request

VUKA = os.environ.get("VUKA", "http://127.0.0.1:3000")
db = sqlite3.connect(os.environ.get("DATABASE", "transfers.db"), isolation_level=None)
db.execute("create table if not exists events (id text primary key, type text, transfer text, event text)")
db.execute("create table if not exists place (row integer primary key check (row = 1), id text)")


def keep(block):
    is_new, event = False, None
    db.execute("begin")
    if block.get("event") == "gap":
        print("events are missing: compare with your own records", flush=True)
    elif "data" in block:
        event = json.loads(block["data"])
        row = (event["id"], event["type"], event["data"]["transferId"], block["data"])
        is_new = db.execute("insert into events values (?, ?, ?, ?) on conflict do nothing", row).rowcount == 1
    if "id" in block:
        db.execute("insert or replace into place values (1, ?)", (block["id"],))
    db.execute("commit")
    # After the commit, so that a repeat prints nothing again. A crash in between loses the line, not the event.
    if is_new and block["event"] == "transfer.settled.v1":
        data = event["data"]
        print(data["type"], data["transferId"], "settled:", data["targetAmount"], data["targetCurrency"], flush=True)


def read():
    place = db.execute("select id from place").fetchone()
    headers = {"Authorization": "Bearer " + os.environ["VUKA_API_KEY"]}
    if place:
        headers["Last-Event-ID"] = place[0]
    request = urllib.request.Request(VUKA + "/api/feed/transfers?from=oldest", headers=headers)
    with urllib.request.urlopen(request, timeout=45) as stream:  # three heartbeats
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
    time.sleep(1)
