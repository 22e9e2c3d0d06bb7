import { useStore } from '@nanostores/react';
import type { TransactionFilters } from '@vuka/contracts/http/transfers';
import { X } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { i18n } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { FilterFields } from './filter-fields.tsx';
import type { FilterChange } from './history-filters.ts';

const MESSAGES = i18n('filter-sheet', {
  title: 'Filter transactions',
  close: 'Close',
  apply: 'Show results',
  clear: 'Clear filters',
});

const NONE: FilterChange = { status: '', direction: '', from: '', to: '' };

interface FilterSheetProps {
  dialogRef: RefObject<HTMLDialogElement | null>;
  filters: TransactionFilters;
  onApply: (change: FilterChange) => void;
}

/** The filters on a phone: chosen together, and applied as one step that the back button takes off. */
export function FilterSheet({ dialogRef, filters, onApply }: FilterSheetProps) {
  const t = useStore(MESSAGES);
  const [draft, setDraft] = useState<FilterChange>({});
  const close = (): void => dialogRef.current?.close();
  const apply = (change: FilterChange): void => {
    onApply(change);
    close();
  };
  return (
    <dialog
      ref={dialogRef}
      aria-label={t.title}
      className="mt-auto mb-0 w-full max-w-none animate-enter rounded-t-wallet bg-surface px-4 pt-3 pb-[calc(1.5rem+env(safe-area-inset-bottom))] text-ink shadow-2 backdrop:bg-[#0e162180]"
      onClose={() => setDraft({})}
    >
      <div className="mb-2 flex items-center justify-between">
        <h2 className="text-card font-semibold">{t.title}</h2>
        <button
          type="button"
          aria-label={t.close}
          className="-mr-3 grid size-12 place-items-center rounded-control text-ink2 hover:bg-sunken"
          onClick={close}
        >
          <X aria-hidden className="size-6" />
        </button>
      </div>
      <div className="grid gap-4">
        <FilterFields
          filters={{ ...filters, ...draft } as TransactionFilters}
          onChange={(change) => setDraft({ ...draft, ...change })}
        />
        <div className="mt-2 grid gap-2">
          <Button onClick={() => apply(draft)}>{t.apply}</Button>
          <Button variant="quiet" onClick={() => apply(NONE)}>
            {t.clear}
          </Button>
        </div>
      </div>
    </dialog>
  );
}
