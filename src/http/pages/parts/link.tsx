// A link out of here, to an address that the service sent. Only addresses of the web are links, and the text names the host that
// they lead to, so that no text of the service can pretend another.
import { UntrustedText } from './text.tsx';

interface OutLinkProps {
  readonly address: string | null | undefined;
  /** What is found there, before the host. */
  readonly text: string;
}

export function OutLink({ address, text }: OutLinkProps) {
  if (address === null || address === undefined || address === '') return <span class="soft">–</span>;
  const url = webAddress(address);
  if (url === null)
    return (
      <>
        <UntrustedText text={address} code /> <span class="soft">(no web address)</span>
      </>
    );
  return (
    <a href={url.href} rel="noreferrer">
      {text} <bdi>{url.host}</bdi>
    </a>
  );
}

function webAddress(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return ['https:', 'http:'].includes(url.protocol) ? url : null;
}
