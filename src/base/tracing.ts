// Spans of runs, requests and statements. They have no effect unless the standard variables make
// cli/setup/command-scope.ts load an SDK. No span holds a secret or a value of the account.
import { type Attributes, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { errorCode } from '../domain/errors.ts';

/** Does the work in a span. The span records the code of a failure, and nothing else of the error. */
export function inSpan<Value>(
  name: string,
  attributes: Attributes,
  work: (span: Span) => PromiseLike<Value>,
  kind = SpanKind.INTERNAL,
): Promise<Value> {
  return trace.getTracer('custody-mirror').startActiveSpan(name, { attributes, kind }, async (span) => {
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

/** Like `inSpan`, for a request to another service. */
export function inClientSpan<Value>(
  name: string,
  attributes: Attributes,
  work: (span: Span) => PromiseLike<Value>,
): Promise<Value> {
  return inSpan(name, attributes, work, SpanKind.CLIENT);
}

/** Renames the open span, when its work turns out to be of another kind. */
export function renameSpan(name: string): void {
  trace.getActiveSpan()?.updateName(name);
}
