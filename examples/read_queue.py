"""Keeps every transfer event once in a database of its own, from a queue that `npm run consumer:create` made. Needs pika."""
import json, os, sqlite3, time
import pika

db = sqlite3.connect(os.environ.get("DATABASE", "transfers.db"), isolation_level=None)
db.execute("""create table if not exists events (id text primary key, type text, transfer text, event text,
    generation integer not null default 0)""")  # `generation` is for read_feed.py, which can share the file


def keep(channel, delivery, properties, body):
    content = json.loads(body)
    db.execute("begin")
    for event in content if isinstance(content, list) else [content]:  # one event, or a batch of them
        row = (event["id"], event["type"], event["data"]["transferId"], json.dumps(event))
        insert = "insert into events (id, type, transfer, event) values (?, ?, ?, ?) on conflict do nothing"
        db.execute(insert, row)  # a repeat changes nothing
    db.execute("commit")
    channel.basic_ack(delivery.delivery_tag)  # only now: a crash before it brings the message again


def read():
    with pika.BlockingConnection(pika.URLParameters(os.environ["AMQP_URL"])) as connection:
        channel = connection.channel()
        channel.basic_qos(prefetch_count=100)
        channel.basic_consume(os.environ["QUEUE"], keep)
        channel.start_consuming()


while True:
    try:
        read()
    except (pika.exceptions.AMQPError, OSError) as error:  # a refusal, or a lost connection
        print(repr(error), flush=True)
    time.sleep(1)
