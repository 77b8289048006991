// Sends traces when the standard variables of OpenTelemetry ask for it: an endpoint, or
// OTEL_TRACES_EXPORTER=otlp. The SDK is loaded only then. It reads the rest of its variables (endpoint,
// headers, sampler, batches, resource) itself.
import { context, DiagLogLevel, diag, trace } from '@opentelemetry/api';
import type { Environment } from '../../base/config/reader.ts';
import type { Logger } from '../../base/logger.ts';
import type { Releasers } from '../../base/releasers.ts';
import { packageVersion } from './package-info.ts';

const endpoints = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'] as const;

function wantsTraces(env: Environment): boolean {
  if (env['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return false;
  const exporter = env['OTEL_TRACES_EXPORTER']?.trim() ?? '';
  return exporter === '' ? endpoints.some((name) => env[name]) : exporter.split(',').includes('otlp');
}

/** Starts sending traces if they are enabled; the release sends the rest. */
export async function startTracing(env: Environment, releasers: Releasers, logger: Logger): Promise<void> {
  if (!wantsTraces(env)) return;
  const [
    { BasicTracerProvider, BatchSpanProcessor },
    { OTLPTraceExporter },
    { AsyncLocalStorageContextManager },
    resources,
  ] = await Promise.all([
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/resources'),
  ]);
  diag.setLogger(complaints(logger), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const named = resources.resourceFromAttributes({
    'service.name': 'custody-mirror',
    'service.version': packageVersion(),
  });
  // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence over ours.
  const given = resources.detectResources({ detectors: [resources.envDetector, resources.hostDetector] });
  const provider = new BasicTracerProvider({
    resource: resources.defaultResource().merge(named).merge(given),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  const protocol =
    env['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] ?? env['OTEL_EXPORTER_OTLP_PROTOCOL'] ?? 'http/json';
  if (protocol !== 'http/json')
    logger.warn({ protocol }, 'traces are sent as http/json, the only supported protocol');
  logger.info('traces are sent');
  releasers.add('traces', async () => {
    await provider.shutdown();
    trace.disable();
    context.disable();
    diag.disable();
  });
}

/** Messages of the SDK without their arguments, which may hold headers with secrets. */
function complaints(logger: Logger) {
  const note = (message: string) => logger.warn({ reason: message.slice(0, 300) }, 'sending traces failed');
  const nothing = () => undefined;
  return { error: note, warn: note, info: nothing, debug: nothing, verbose: nothing };
}
