import { republishAtRandom } from './duplicates.ts';
import type { Inject } from './installation.ts';
import { onceAvailable } from './once-available.ts';
import { lengthOf } from './random.ts';

/** Possible with a broker. */
export const MESSAGE_FAULTS: Record<string, Inject> = {
  'messages again, out of order': (broken, draw) =>
    onceAvailable(broken, 'messages to be published again', async () =>
      republishAtRandom({
        amqpUrl: broken.broker?.directUrl ?? '',
        databaseUrl: broken.transfersDatabaseUrl,
        count: lengthOf(draw, 5, 50),
      }),
    ),
};
