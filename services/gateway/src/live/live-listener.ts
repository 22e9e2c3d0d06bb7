import { type ChannelListener, listenToChannel } from '@vuka/service-kit/channel-listener';
import type { Logger } from '@vuka/service-kit/logger';
import type { Part } from '@vuka/service-kit/poll';
import type { Db } from '#db/schema.ts';
import { findLiveEvents, findNewestLiveEvent, LIVE_CHANNEL } from './live-event.store.ts';
import type { LiveHub } from './live-hub.ts';

const RECONNECT_MS = 1_000;
const TIMEOUT_MS = 5_000;
/** Events do not commit in the order of their ids: up to this many ids below the newest may be announced after it. */
const OVERLAP = 1_000n;

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
  let listener: ChannelListener | undefined;
  /** The newest event that was announced; undefined until the first connection. */
  let heardTo: bigint | undefined;
  const publishKept = createPublisher(deps);

  function listen(): ChannelListener {
    let heardBefore = 0n;
    return listenToChannel({
      url: deps.url,
      applicationName: 'gateway-live',
      channel: LIVE_CHANNEL,
      timeoutMs: TIMEOUT_MS,
      async beforeListening() {
        heardTo ??= await findNewestLiveEvent(deps.db);
        heardBefore = heardTo;
      },
      onListening: () => catchUp(heardBefore),
      onNotice: hear,
      onLost(error, losses) {
        if (losses === 0) deps.logger.warn({ err: error }, 'lost the connection for live events, trying again');
        return RECONNECT_MS;
      },
    });
  }

  /**
   * Reads what was announced while the connection was lost. A stream that has already had an event only makes its page
   * refetch.
   */
  async function catchUp(from: bigint) {
    const newest = await findNewestLiveEvent(deps.db);
    if (newest > from) hearOfKept(from - OVERLAP, newest);
  }

  function hear(notice: string) {
    const [kind, ...rest] = notice.split(' ');
    if (kind === 'kept') {
      const [first = 0n, last = 0n] = rest.map(BigInt);
      hearOfKept(first, last);
    } else {
      const [name = '', ...userIds] = rest;
      for (const userId of userIds) deps.hub.publish(userId, { name, data: {} });
    }
  }

  function hearOfKept(first: bigint, last: bigint) {
    heardTo = later(heardTo, last);
    deps.onTransferEvents();
    if (deps.hub.size > 0) publishKept(first, last);
  }

  return {
    name: 'live listener',
    start: () => {
      listener = listen();
    },
    stop: async () => listener?.close(),
  };
}

const later = (a: bigint | undefined, b: bigint): bigint => (a !== undefined && a > b ? a : b);

/** Hands ranges of stored events to the streams. Those announced during a read are read together afterwards. */
function createPublisher({ db, hub, logger }: Pick<LiveListenerDeps, 'db' | 'hub' | 'logger'>) {
  let unread: { first: bigint; last: bigint } | undefined;
  let isReading = false;

  async function readUnread() {
    isReading = true;
    while (unread) {
      const { first, last } = unread;
      unread = undefined;
      try {
        for (const { userId, event } of await findLiveEvents(db, first, last)) hub.publish(userId, event);
      } catch (error) {
        logger.warn({ err: (error as Error).message }, 'live events could not be read; pages poll');
      }
    }
    isReading = false;
  }

  return (first: bigint, last: bigint) => {
    unread = {
      first: unread && unread.first < first ? unread.first : first,
      last: later(unread?.last, last),
    };
    if (!isReading) void readUnread();
  };
}
