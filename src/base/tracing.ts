// Spans of what the mirror does: runs, requests, statements. Without an SDK, which cli/tracing.ts loads when the standard
// variables ask for it, a span is nothing and costs next to nothing. No span holds a value of the account or a secret.
import { type Attributes, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { errorCode } from '../domain/errors.ts';

/** Does the work in a span, which ends with it and says whether it failed, by the error's code alone. */
export function inSpan<Value>(
  name: string,
  attributes: Attributes,
  work: (span: Span) => PromiseLike<Value>,
): Promise<Value> {
  return traced(name, { attributes }, work);
}

/** Names the span that is open anew: what goes on in it turned out to be something else. */
export function renameSpan(name: string): void {
  trace.getActiveSpan()?.updateName(name);
}

/** The same for a call of another service. */
export function inClientSpan<Value>(
  name: string,
  attributes: Attributes,
  work: (span: Span) => PromiseLike<Value>,
): Promise<Value> {
  return traced(name, { attributes, kind: SpanKind.CLIENT }, work);
}

function traced<Value>(
  name: string,
  options: { readonly attributes: Attributes; readonly kind?: SpanKind },
  work: (span: Span) => PromiseLike<Value>,
): Promise<Value> {
  return trace.getTracer('custody-mirror').startActiveSpan(name, options, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      const code = errorCode(error);
      span.setAttribute('error.type', code);
      span.setStatus({ code: SpanStatusCode.ERROR, message: code });
      throw error;
    } finally {
      span.end();
    }
  });
}
