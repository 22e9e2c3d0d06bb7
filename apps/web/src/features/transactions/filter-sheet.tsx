import { useStore } from '@nanostores/react';
import type { TransactionFilters } from '@vuka/contracts/http/transaction-filters';
import { useState } from 'react';
import { i18n } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { ModalDialog } from '#shared/ui/modal-dialog.tsx';
import { FILTER_MESSAGES, FilterFields } from './filter-fields.tsx';
import type { FilterChange } from './history-filters.ts';

const MESSAGES = i18n('filter-sheet', {
  title: 'Filter transactions',
  cancel: 'Cancel',
  apply: 'Show results',
});

const NONE: FilterChange = { status: '', direction: '', from: '', to: '' };

interface FilterSheetProps {
  filters: TransactionFilters;
  onApply: (change: FilterChange) => void;
  onClose: () => void;
}

/** The filters on a phone: chosen together and applied as one step, which the back button reverts. */
export function FilterSheet({ filters, onApply, onClose }: FilterSheetProps) {
  const t = useStore(MESSAGES);
  const words = useStore(FILTER_MESSAGES);
  const [draft, setDraft] = useState<FilterChange>({});
  const isFiltered = Object.keys(filters).some((name) => name in NONE);
  const apply = (change: FilterChange): void => {
    onApply(change);
    onClose();
  };
  return (
    <ModalDialog isSheet title={t.title} onCancel={onClose}>
      <div className="mt-4 grid grid-cols-[repeat(auto-fill,minmax(min(100%,8rem),1fr))] gap-4">
        <FilterFields
          selectClass="col-span-full"
          filters={{ ...filters, ...draft } as TransactionFilters}
          onChange={(change) => setDraft({ ...draft, ...change })}
        />
        <div className="col-span-full mt-2 grid grid-cols-2 gap-2">
          <Button className="col-span-2" onClick={() => apply(draft)}>
            {t.apply}
          </Button>
          <Button variant="secondary" className={isFiltered ? '' : 'col-span-2'} onClick={onClose}>
            {t.cancel}
          </Button>
          {isFiltered ? (
            <Button variant="quiet" onClick={() => apply(NONE)}>
              {words.clear}
            </Button>
          ) : null}
        </div>
      </div>
    </ModalDialog>
  );
}
