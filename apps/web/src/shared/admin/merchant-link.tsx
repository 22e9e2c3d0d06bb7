import { Link } from 'react-router-dom';
import { merchantPath } from '#shared/paths.ts';

interface MerchantLinkProps {
  /** The merchant's account; null if the account is an administrator's, which has no such page. */
  userId: string | null;
  text: string;
}

/** A merchant's name, with a link to their page. */
export function MerchantLink({ userId, text }: MerchantLinkProps) {
  if (userId === null) return text;
  return (
    <Link to={merchantPath(userId)} className="text-primary underline-offset-2 hover:underline">
      {text}
    </Link>
  );
}
