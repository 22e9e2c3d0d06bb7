import { useAbout } from '#shared/house.ts';

/** The title of the window: the page and the system's name. */
export function PageTitle({ title }: { title: string }) {
  const { systemName } = useAbout();
  return <title>{`${title} – ${systemName}`}</title>;
}
