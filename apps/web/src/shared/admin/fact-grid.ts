/** A list of facts, of which on wider screens as many stand side by side as fit; those of the items of a list align. */
export const FACT_GRID = 'grid sm:grid-cols-[repeat(auto-fill,minmax(12rem,1fr))] gap-x-6 gap-y-2.5 text-small';

/** A fact with a long text: as wide as two. */
export const WIDE_FACT = 'col-span-full sm:col-span-2';
