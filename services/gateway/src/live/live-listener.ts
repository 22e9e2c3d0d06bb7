import type { Logger } from '@vuka/service-kit/logger';
import type { Part } from '@vuka/service-kit/poll';
import pg from 'pg';
import type { Db } from '#db/schema.ts';
import { findLiveEvents, LIVE_CHANNEL } from './live-event.store.ts';
import type { LiveHub } from './live-hub.ts';

const RECONNECT_MS = 1_000;

interface LiveListenerDeps {
  url: string;
  db: Db;
  hub: LiveHub;
  logger: Logger;
  /** Called when there are new transfer events, of any user. */
  onTransferEvents: () => void;
}

/** Listens for events that any replica stored and hands them to the streams open here; reconnects after a loss. */
export function liveListenerPart(deps: LiveListenerDeps): Part {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let unread: { first: bigint; last: bigint } | undefined;
  let isReading = false;

  async function connect() {
    const connecting = new pg.Client({ connectionString: deps.url, application_name: 'gateway-live', keepAlive: true });
    client = connecting;
    connecting.on('error', () => undefined);
    connecting.on('end', reconnect);
    connecting.on('notification', ({ payload }) => hear(payload ?? ''));
    try {
      await connecting.connect();
      await connecting.query(`listen ${LIVE_CHANNEL}`);
    } catch (error) {
      deps.logger.warn({ err: (error as Error).message }, 'cannot listen for live events yet');
      reconnect();
    }
  }

  function reconnect() {
    if (isStopped || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      client?.end().catch(() => undefined);
      void connect();
    }, RECONNECT_MS);
  }

  function hear(notice: string) {
    const [kind, ...rest] = notice.split(' ');
    if (kind === 'kept') {
      deps.onTransferEvents();
      const [first = 0n, last = 0n] = rest.map(BigInt);
      if (deps.hub.size > 0) hearOfKept(first, last);
    } else {
      const [name = '', ...userIds] = rest;
      for (const userId of userIds) deps.hub.publish(userId, { name, data: {} });
    }
  }

  function hearOfKept(first: bigint, last: bigint) {
    unread = {
      first: unread && unread.first < first ? unread.first : first,
      last: unread && unread.last > last ? unread.last : last,
    };
    if (!isReading) void readUnread();
  }

  /** Events announced during a read are read together afterwards. */
  async function readUnread() {
    isReading = true;
    while (unread) {
      const { first, last } = unread;
      unread = undefined;
      try {
        for (const { userId, event } of await findLiveEvents(deps.db, first, last)) deps.hub.publish(userId, event);
      } catch (error) {
        deps.logger.warn({ err: (error as Error).message }, 'live events could not be read; pages poll');
      }
    }
    isReading = false;
  }

  return {
    name: 'live listener',
    start: () => {
      void connect();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
