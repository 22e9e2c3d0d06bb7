import { useStore } from '@nanostores/react';
import { X } from 'lucide-react';
import { useEffect, useId } from 'react';
import { i18n } from '#shared/i18n/i18n.ts';
import { SearchInput, useTypedText } from '#shared/ui/search-input.tsx';
import { FILTER_MESSAGES } from './filter-fields.tsx';

const MESSAGES = i18n('search-field', {
  label: 'Search transactions',
  placeholder: 'ID, phone or amount',
  clear: 'Clear search',
});

const PAUSE_MS = 350;
const LONGEST = 40;

interface SearchFieldProps {
  /** The current search, from the address. */
  value: string;
  onSearch: (text: string) => void;
  /** Removes all filters; undefined if there are none, or if they can be removed elsewhere. */
  onClearFilters: (() => void) | undefined;
}

/** Searches when the user pauses typing; follows the address when it changes otherwise. */
export function SearchField({ value, onSearch, onClearFilters }: SearchFieldProps) {
  const t = useStore(MESSAGES);
  const words = useStore(FILTER_MESSAGES);
  const id = useId();
  const { typed, setTyped, send } = useTypedText(value, onSearch);
  useEffect(() => {
    if (typed.trim() === value) return;
    const timer = setTimeout(() => send(typed.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  });
  return (
    <search className="min-w-0 flex-1 md:basis-full lg:basis-0">
      <div className="mb-1.5 flex gap-x-3 text-small max-md:hidden">
        <label htmlFor={id} className="font-medium text-ink2">
          {t.label}
        </label>
        {onClearFilters ? (
          <button type="button" className="font-semibold text-primary hover:underline" onClick={onClearFilters}>
            {words.clear}
          </button>
        ) : null}
      </div>
      <form
        className="relative"
        onSubmit={(event) => {
          event.preventDefault();
          send(typed.trim());
        }}
      >
        <SearchInput
          id={id}
          aria-label={t.label}
          placeholder={t.placeholder}
          enterKeyHint="search"
          maxLength={LONGEST}
          value={typed}
          className={typed ? 'pr-12' : 'pr-3'}
          onChange={setTyped}
        />
        {typed ? (
          <button
            type="button"
            aria-label={t.clear}
            className="absolute inset-y-0 right-0 grid w-12 place-items-center rounded-control text-ink3 hover:text-ink"
            onClick={() => {
              setTyped('');
              send('');
            }}
          >
            <X aria-hidden className="size-5" />
          </button>
        ) : null}
      </form>
    </search>
  );
}
