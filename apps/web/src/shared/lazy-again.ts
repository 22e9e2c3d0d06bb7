import { type ComponentType, createElement, lazy, useState } from 'react';

const renewals: (() => void)[] = [];

/**
 * `lazy` keeps a failure for ever. Called once an error is shown, it lets the next attempt load the files again. Before
 * that React itself would attempt it again, without end.
 */
export function loadAgain(): void {
  for (const renew of renewals) renew();
}

/**
 * A component that is loaded when it is first shown, and again after an error. `loaded` returns it if it has been loaded
 * already: `lazy` would show a fallback first, and React keeps a fallback for 300 ms.
 */
export function lazyAgain<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  loaded: () => ComponentType<Props> | undefined = () => undefined,
): ComponentType<Props> {
  const create = () => lazy(async () => ({ default: await load() })) as unknown as ComponentType<Props>;
  let Lazy = create();
  renewals.push(() => {
    Lazy = create();
  });
  return (props) => {
    const [Known] = useState(() => loaded() ?? Lazy);
    return createElement(Known, props);
  };
}
