import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import { type MouseEvent, type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useMediaQuery, WIDE } from '#shared/use-media-query.ts';
import { useRowEstimates } from '#shared/use-row-estimates.ts';

export interface Column<Row> {
  key: string;
  header: string;
  /** A control before the header's text, above the controls of the rows. */
  lead?: ReactNode;
  cell: (row: Row) => ReactNode;
  align?: 'right';
  isSortable?: boolean;
  /** Stays at the right edge, so that the row's actions are always in reach. */
  isPinned?: boolean;
  className?: string;
  /** On a narrower table this column is shown in small print below the text of another column. */
  fold?: {
    /** The key of the other column. */
    into: string;
    /** The content there, if it differs from `cell`: without its header a bare figure is unclear. */
    cell?: (row: Row) => ReactNode;
  };
}

/** From this width on the columns of most tables fit beside the navigation. */
const ROOMY = '(min-width: 80rem)';

/** The columns that a table has room for; the others are folded into them. */
function fitted<Row>(columns: readonly Column<Row>[], isRoomy: boolean): readonly Column<Row>[] {
  if (isRoomy) return columns;
  return columns
    .filter(({ fold }) => !fold)
    .map((column) => {
      const folded = columns.filter(({ fold }) => fold?.into === column.key);
      if (folded.length === 0) return column;
      const cell = (row: Row) => (
        <>
          {column.cell(row)}
          {folded.map((other) => (
            <span key={other.key} className={`block text-caption font-normal text-ink3 ${other.align ? 'nums' : ''}`}>
              {(other.fold?.cell ?? other.cell)(row)}
            </span>
          ))}
        </>
      );
      return { ...column, cell };
    });
}

interface Sort {
  key: string;
  isDescending: boolean;
}

interface DataTableProps<Row> {
  /** The name of the table, and of the region in which it scrolls. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** The row on a narrow screen. */
  card: (row: Row) => ReactNode;
  /** Shown if there are no rows. */
  empty: ReactNode;
  sort?: Sort;
  onSort?: (key: string) => void;
  /** A click anywhere in a row; a control inside does the same for the keyboard and screen readers. */
  onOpen?: ((row: Row) => void) | undefined;
  /** A media query: from this width on every column fits. */
  roomy?: string;
}

/** Columns that stay in place cast a shadow on the columns that have scrolled behind them. */
const LEFT_EDGE = 'group-data-[left=hidden]/table:edge-right';
const RIGHT_EDGE = 'group-data-[right=hidden]/table:edge-left';

/** Marks at which sides of a scrolled element something is hidden. */
function markEdges(element: HTMLElement): void {
  const { scrollLeft, scrollWidth, clientWidth } = element;
  element.dataset.left = scrollLeft > 0 ? 'hidden' : 'shown';
  // Browsers round these widths, so a difference of one pixel does not count.
  element.dataset.right = scrollWidth - clientWidth - scrollLeft > 1 ? 'hidden' : 'shown';
}

/** The measures of the element that holds a table: what is hidden at its sides, and whether the table fits in it. */
function useEdges() {
  const ref = useRef<HTMLElement>(null);
  const [fits, setFits] = useState(true);
  const mark = useCallback((): void => {
    const { current } = ref;
    if (!current) return;
    markEdges(current);
    // The width of the table itself: an element that clips need not count what it cuts off.
    setFits((current.querySelector('table')?.offsetWidth ?? 0) <= current.offsetWidth);
  }, []);
  useLayoutEffect(mark);
  useEffect(() => {
    window.addEventListener('resize', mark);
    return () => window.removeEventListener('resize', mark);
  }, [mark]);
  return { box: { ref, onScroll: mark }, fits };
}

/** The classes of a column by its position: the first and a pinned one stay in place while the others scroll. */
function placeOf(columns: readonly { isPinned?: boolean }[], index: number): string {
  if (index === 0) return `sticky left-0 bg-surface pl-4 sm:pl-5 ${LEFT_EDGE}`;
  const edge = index === columns.length - 1 ? 'pr-4 sm:pr-5' : '';
  return columns[index]?.isPinned ? `sticky right-0 bg-surface ${RIGHT_EDGE} ${edge}` : edge;
}

/** A right-aligned number needs space, or a line, before left-aligned text. */
function roomBefore(columns: readonly { align?: 'right' }[], index: number): string {
  return columns[index - 1]?.align === 'right' && columns[index]?.align !== 'right' ? 'pl-6' : '';
}

/** Numbers end at the same place; actions end at the edge of the card. */
function alignOf({ align, isPinned }: { align?: 'right'; isPinned?: boolean }): string {
  if (align === 'right') return 'nums text-right';
  return isPinned ? 'text-right' : '';
}

/** It scrolls within its own height, below its header; a table that fits does not, and scrolls with the page. */
const SCROLLED = { box: 'max-h-[min(70dvh,45rem)] overflow-auto scroll-pt-12', head: 'top-0' };
/** Clips the corners without becoming what the header sticks to, which is the page, below the bar at its top. */
const WHOLE = { box: 'overflow-clip', head: 'top-[calc(3.5rem+env(safe-area-inset-top))]' };

/** A table with a sticky header and a sticky first column; on phones a list of cards. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const isWide = useMediaQuery(WIDE);
  return isWide ? <WideTable {...props} /> : <CardList {...props} />;
}

function CardList<Row>({ label, rows, rowKey, card, empty }: DataTableProps<Row>) {
  const estimates = useRowEstimates('[contain-intrinsic-size:auto_6rem] [content-visibility:auto]');
  if (rows.length === 0) return <div className="border-t border-line">{empty}</div>;
  return (
    <ul aria-label={label} className="divide-y divide-line border-t border-line">
      {rows.map((row) => (
        <li key={rowKey(row)} className={`px-4 py-3 ${estimates}`}>
          {card(row)}
        </li>
      ))}
    </ul>
  );
}

/** Whether a click was on the row itself, not on a control in it or part of a text selection. */
function isOfRow({ target }: MouseEvent): boolean {
  const isControl = (target as Element).closest('a, button, input, label') !== null;
  return !isControl && (window.getSelection()?.isCollapsed ?? true);
}

function WideTable<Row>({
  label,
  rows,
  rowKey,
  empty,
  sort,
  onSort,
  onOpen,
  roomy = ROOMY,
  ...props
}: DataTableProps<Row>) {
  const { box, fits } = useEdges();
  const isRoomy = useMediaQuery(roomy);
  const columns = fitted(props.columns, isRoomy);
  const isWhole = isRoomy && fits;
  const place = isWhole ? WHOLE : SCROLLED;
  return (
    <section
      {...box}
      aria-label={label}
      // A region that scrolls must be reachable by keyboard.
      tabIndex={isWhole ? undefined : 0}
      className={`group/table relative data-[right=hidden]:edge-inside rounded-b-card -outline-offset-3 ${place.box}`}
    >
      <table className="w-full [--room:--spacing(1.5)] 2xl:[--room:--spacing(2)] border-separate border-spacing-0 text-left text-small">
        <thead>
          <tr>
            {columns.map((column, index) => (
              <HeadCell key={column.key} columns={columns} index={index} top={place.head} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.length === 0 ? (
            <tr>
              <td colSpan={columns.length}>{empty}</td>
            </tr>
          ) : null}
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              className={`group ${onOpen ? 'cursor-pointer' : ''}`}
              onClick={onOpen && ((event) => isOfRow(event) && onOpen(row))}
            >
              {columns.map((column, index) => (
                <td
                  key={column.key}
                  className={`h-11 border-b border-line px-(--room) py-1.5 group-last:border-b-0 group-hover:bg-sunken ${placeOf(columns, index)} ${roomBefore(columns, index)} ${alignOf(column)} ${column.className ?? ''}`}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface HeadCellProps<Row> {
  columns: readonly Column<Row>[];
  index: number;
  /** The class that says at which height it sticks. */
  top: string;
  sort: Sort | undefined;
  onSort: ((key: string) => void) | undefined;
}

function HeadText({ lead, header }: { lead?: ReactNode; header: string }) {
  if (!lead) return header;
  return (
    <span className="flex items-center gap-3">
      {lead}
      {header}
    </span>
  );
}

function HeadCell<Row>({ columns, index, top, sort, onSort }: HeadCellProps<Row>) {
  const column = columns[index];
  if (!column) return null;
  const isSorted = sort?.key === column.key;
  const direction = sort?.isDescending ? 'descending' : 'ascending';
  const Icon = isSorted ? (sort.isDescending ? ArrowDown : ArrowUp) : ArrowUpDown;
  return (
    <th
      scope="col"
      aria-sort={isSorted ? direction : undefined}
      // Excludes the leading control from the column's accessible name.
      aria-label={column.lead ? column.header : undefined}
      className={`sticky ${top} h-11 border-y border-line bg-surface px-(--room) text-caption font-semibold text-ink2 ${placeOf(columns, index)} ${roomBefore(columns, index)} ${index === 0 || column.isPinned ? 'z-20' : 'z-10'} ${alignOf(column)}`}
    >
      {column.isSortable && onSort ? (
        <button
          type="button"
          className="-mx-2 inline-flex min-h-9 items-center gap-0.5 rounded-chip px-2 text-left hover:bg-sunken hover:text-ink"
          onClick={() => onSort(column.key)}
        >
          {column.header}
          <Icon aria-hidden className={`size-3 ${isSorted ? 'text-primary' : 'text-ink3'}`} />
        </button>
      ) : (
        <HeadText lead={column.lead} header={column.header} />
      )}
    </th>
  );
}
