/** A list of facts, of which as many stand side by side as fit; those of the items of a list align. */
export const FACT_GRID =
  'grid grid-cols-[repeat(auto-fill,minmax(min(100%,8rem),1fr))] sm:grid-cols-[repeat(auto-fill,minmax(12rem,1fr))] gap-x-6 gap-y-2.5 text-small';

/** A fact with a long text: on a phone as wide as the list, on wider screens two columns or one. */
export const FACT_WIDTHS = {
  wide: 'col-span-full sm:col-span-2',
  wideOnPhone: 'col-span-full sm:col-span-1',
} as const;
