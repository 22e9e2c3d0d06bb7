/** Enough to recognise a person one knows, and too little to learn a stranger's name: "Zawadi M.". */
export function maskName(fullName: string): string {
  const [first = '', ...others] = fullName.trim().split(/\s+/);
  const [initial] = others.at(-1) ?? '';
  return initial ? `${first} ${initial.toUpperCase()}.` : `${[...first].slice(0, 3).join('')}…`;
}
