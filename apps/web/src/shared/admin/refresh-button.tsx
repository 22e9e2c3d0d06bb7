import { useStore } from '@nanostores/react';
import type { UseQueryResult } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { i18n } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';

const MESSAGES = i18n('admin/refresh-button', { refresh: 'Refresh' });

interface RefreshButtonProps {
  query: Pick<UseQueryResult<unknown>, 'isFetching'> & { refetch: () => unknown };
  className?: string;
}

/** Fetches a list again. Its text, not its edge, aligns with the content below. */
export function RefreshButton({ query, className = '-mx-3' }: RefreshButtonProps) {
  const t = useStore(MESSAGES);
  return (
    <Button variant="quiet" size="small" className={`shrink-0 ${className}`} onClick={() => void query.refetch()}>
      <RefreshCw aria-hidden className={`size-4 ${query.isFetching ? 'animate-spin' : ''}`} />
      {t.refresh}
    </Button>
  );
}
