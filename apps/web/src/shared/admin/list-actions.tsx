import type { ComponentProps } from 'react';
import { ExportButton } from './export-button.tsx';
import { RefreshButton } from './refresh-button.tsx';

type ListActionsProps = ComponentProps<typeof ExportButton> & Pick<ComponentProps<typeof RefreshButton>, 'query'>;

/** The buttons above a list: fetch it again, export it. */
export function ListActions({ query, ...exported }: ListActionsProps) {
  return (
    <div className="-mx-3 flex flex-wrap items-center">
      <RefreshButton query={query} className="" />
      <ExportButton {...exported} />
    </div>
  );
}
