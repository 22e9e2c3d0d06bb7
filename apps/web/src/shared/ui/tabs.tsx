import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';

interface TabsProps<Name extends string> {
  label: string;
  tabs: readonly { name: Name; label: string }[];
  selected: Name;
  onSelect: (name: Name) => void;
  children: ReactNode;
}

/** Segmented tabs: arrow keys, Home and End move between them; one panel holds the content of the selected tab. */
export function Tabs<Name extends string>({ label, tabs, selected, onSelect, children }: TabsProps<Name>) {
  const id = useId();
  const listRef = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const at = tabs.findIndex((tab) => tab.name === selected);
    const target = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    const index = (target + tabs.length) % tabs.length;
    const tab = tabs[index];
    if (!tab) return;
    onSelect(tab.name);
    listRef.current?.querySelectorAll('button')[index]?.focus();
  };
  return (
    <>
      <div
        ref={listRef}
        role="tablist"
        aria-label={label}
        // Many tabs do not fit on one line of a phone: in columns, their lines are equally full.
        className={`max-w-merchant flex-wrap gap-1 rounded-control bg-sunken p-1 ${tabs.length > 4 ? 'grid grid-cols-3 sm:flex' : 'flex'}`}
      >
        {tabs.map((tab) => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            id={`${id}-${tab.name}`}
            aria-selected={tab.name === selected}
            aria-controls={`${id}-panel`}
            tabIndex={tab.name === selected ? 0 : -1}
            className="min-h-11 flex-1 rounded-chip px-2 text-small font-semibold text-ink2 hover:text-ink aria-selected:bg-raised aria-selected:text-ink aria-selected:shadow-1"
            onClick={() => onSelect(tab.name)}
            onKeyDown={move}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${selected}`}>
        {children}
      </div>
    </>
  );
}
