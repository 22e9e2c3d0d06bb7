import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { LIST_SIZES } from '@vuka/contracts/http/list-sizes';
import { i18n } from '#shared/i18n/i18n.ts';

const MESSAGES = i18n('admin/list-end', {
  newest: params('Only the newest {limit} are listed.'),
  oldest: params('Only the oldest {limit} are listed.'),
  first: params('Only the first {limit} are listed.'),
});

/** Which entries a list has, if not the newest. */
const ENTRIES: { [list in keyof typeof LIST_SIZES]?: 'oldest' | 'first' } = {
  stuckTransfers: 'oldest',
  deadMessages: 'oldest',
  payoutExceptions: 'first',
};

interface ListEndProps {
  list: keyof typeof LIST_SIZES;
  /** The number of entries that the server sent. */
  length: number;
}

/** Says that a list ends although there may be more. */
export function ListEnd({ list, length }: ListEndProps) {
  const t = useStore(MESSAGES);
  const limit = LIST_SIZES[list];
  if (length < limit) return null;
  const text = t[ENTRIES[list] ?? 'newest']({ limit: String(limit) });
  return <p className="border-t border-line px-5 py-3 text-caption text-ink3">{text}</p>;
}
