import type { Keyring } from '@vuka/service-kit/keyring';
import { createSealedRows, type SealedRows } from '@vuka/service-kit/sealed-rows';
import { sql } from 'kysely';
import type { SavedRecipientRow } from '#db/schema.ts';

/** The name that a user gave a number. */
interface Label {
  label: string;
}

type LabelRow = Pick<SavedRecipientRow, 'user_id' | 'phone' | 'label' | 'sealed'>;
export type SealedLabels = SealedRows<LabelRow, Label>;

export function createSealedLabels(keyring: Keyring): SealedLabels {
  return createSealedRows<LabelRow, Label>(
    {
      table: 'saved_recipients',
      key: ['user_id', 'phone'],
      clear: ({ label }) => ({ label }),
      // The column must have a text.
      erase: sql`label = phone`,
    },
    keyring,
  );
}
