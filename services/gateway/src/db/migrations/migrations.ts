import * as liveEvents from './0001-live-events.ts';

export const migrations = { '0001-live-events': liveEvents };
