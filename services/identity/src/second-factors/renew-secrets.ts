import type { Keyring } from '@vuka/service-kit/keyring';
import type { Logger } from '@vuka/service-kit/logger';
import { createSealing, derive, openWith, type Sealing } from '@vuka/service-kit/sealing';
import type { Db } from '#db/schema.ts';

const PURPOSE = 'authenticator apps';

/** Encrypts the secrets of authenticator apps, each for its user. */
export const createTotpSealing = (peppers: Keyring): Sealing => createSealing(peppers, PURPOSE);

/** Brings the secrets of authenticator apps under the current pepper, also those of earlier releases, which name none. */
export async function renewSecrets({ db, peppers, logger }: { db: Db; peppers: Keyring; logger: Logger }) {
  const sealing = createTotpSealing(peppers);
  const apps = await db
    .selectFrom('second_factors')
    .select(['id', 'user_id', 'sealed_secret'])
    .where('kind', '=', 'totp')
    .execute();
  let renewed = 0;
  for (const { id, user_id: userId, sealed_secret: sealed } of apps) {
    if (!sealed || sealing.isCurrent(sealed)) continue;
    const secret = sealing.seal(openAny(sealing, peppers, { sealed, userId }), userId);
    await db
      .updateTable('second_factors')
      .set({ sealed_secret: secret })
      .where('id', '=', id)
      .where('sealed_secret', '=', sealed)
      .execute();
    renewed += 1;
  }
  if (renewed > 0) logger.info({ renewed }, 'authenticator apps were brought under the current pepper');
}

function openAny(sealing: Sealing, peppers: Keyring, { sealed, userId }: { sealed: Buffer; userId: string }): Buffer {
  const id = sealed.subarray(0, 8).toString('hex');
  if (peppers.find(id)) return sealing.open(sealed, userId);
  return openWith(derive(peppers.current, PURPOSE), sealed, userId);
}
