import type { ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router-dom';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { adminTransactionPath } from '#shared/paths.ts';

interface JournalLinkProps extends Omit<LinkProps, 'to'> {
  /** The id of the transaction. */
  id: string;
  /** Shown to roles that may not read journals; nothing by default. */
  otherwise?: ReactNode;
}

/** The way to the journal of a transaction. */
export function JournalLink({ id, otherwise = null, ...link }: JournalLinkProps): ReactNode {
  return useMayDo()('recovery.read') ? <Link to={adminTransactionPath(id)} {...link} /> : otherwise;
}
