import { Fragment } from 'react';

/** A large figure that wraps between its groups of digits if the line is too short. */
export function Figure({ text }: { text: string }) {
  const [first, ...groups] = text.split(',');
  return (
    <>
      {first}
      {groups.map((digits, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a group of digits has no identity but its position.
        <Fragment key={index}>
          ,<wbr />
          {digits}
        </Fragment>
      ))}
    </>
  );
}
