import { Fragment } from 'react';

/** A large figure that, where the line is too short for it, breaks between its groups of digits. */
export function Figure({ text }: { text: string }) {
  const [first, ...groups] = text.split(',');
  return (
    <>
      {first}
      {groups.map((digits, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a group of digits is nothing but its place.
        <Fragment key={index}>
          ,<wbr />
          {digits}
        </Fragment>
      ))}
    </>
  );
}
