import { useStore } from '@nanostores/react';
import { i18n } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';

const MESSAGES = i18n('admin/show-more', { more: 'Show more' });

interface ShowMoreProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}

/** The end of a paged list: a button for the next page, or nothing. */
export function ShowMore({ query: { hasNextPage, isFetchingNextPage, fetchNextPage } }: ShowMoreProps) {
  const t = useStore(MESSAGES);
  if (!hasNextPage) return null;
  return (
    <div className="border-t border-line p-3 text-center">
      <Button
        variant="quiet"
        isPending={isFetchingNextPage}
        isBusy={isFetchingNextPage}
        onClick={() => void fetchNextPage()}
      >
        {t.more}
      </Button>
    </div>
  );
}
