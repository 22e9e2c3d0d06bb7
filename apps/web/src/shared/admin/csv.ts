import { saveFile } from '#shared/save-file.ts';

/** Quotes as RFC 4180 requires. Text that a spreadsheet would run as a formula is marked as text. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function toCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

/** Downloads a file. Excel recognises UTF-8 by the byte order mark. */
export function downloadCsv(name: string, csv: string): void {
  saveFile(name, `\uFEFF${csv}`, 'text/csv');
}
