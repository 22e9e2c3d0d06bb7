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

interface MerchantNameProps {
  userId: string | null;
  name: string;
  /** The ID that merchants are asked for; administrators have none. */
  id: string | null;
  /** The ID stands behind the name, where there is room. */
  isOnOneLine?: boolean;
}

/** A merchant's name, which may be missing, and the ID below it. */
export function MerchantName({ userId, name, id, isOnOneLine = false }: MerchantNameProps) {
  return (
    <>
      <MerchantLink userId={userId} text={name || (id ?? '')} />{' '}
      {name && id ? (
        <span className={`text-caption text-ink3 ${isOnOneLine ? 'font-normal' : 'block'}`}>{id}</span>
      ) : null}
    </>
  );
}
