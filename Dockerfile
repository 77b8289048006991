# custody-mirror as a container: the compiled program and its production dependencies, exactly as package-lock.json names
# them, in one layer over the base. The files belong to root and are never written: the image runs as an ordinary user, with
# a read-only root file system and without any capability. The classic builder is enough: docker build -t custody-mirror .

# For a build that can be repeated to the byte, name the base by its digest: --build-arg BASE=node@sha256:…
ARG BASE=node:24-bookworm-slim

FROM ${BASE} AS build
# Named as the package, because npm names the program in the list of its parts by the folder.
WORKDIR /build/custody-mirror
COPY package.json package-lock.json .npmrc ./
COPY packages/client/package.json packages/client/
COPY packages/demo/package.json packages/demo/
COPY packages/pages/package.json packages/pages/
COPY packages/sandbox/package.json packages/sandbox/
RUN npm ci --ignore-scripts
COPY . .
# What only a compiler or a reader of sources needs is left out. Readable by everybody, whatever the modes of the clone.
# sbom.cdx.json lists what is in it, by CycloneDX; npm asks for the packages of development unless the program wants none.
RUN npm run build \
 && npm ci --omit=dev --ignore-scripts --workspaces=false \
 && npm pkg delete devDependencies workspaces overrides \
 && npm sbom --sbom-format=cyclonedx > sbom.cdx.json \
 && mkdir -p /image/app /image/usr/local/bin \
 && mv package.json LICENSE sbom.cdx.json migrations dist node_modules /image/app/ \
 && cd /image/app \
 && find dist node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.cts' -o -name '*.mts' \) -delete \
 && find node_modules -type f \( -iname 'readme*' -o -iname 'changelog*' \) -delete \
 && find . -type d -empty -delete \
 && chmod -R a+rX,go-w . \
 && ln -s /app/dist/src/cli/main.js /image/usr/local/bin/custody-mirror

FROM ${BASE}
WORKDIR /app
# Inside a container only the published ports can be reached. A browser on the host might be made to ask it under a foreign name
# (DNS rebinding): it answers to localhost and to plain addresses, and to the names in HTTP_ALLOWED_HOSTS.
# A young generation of the heap that may grow to its default size takes half as much memory again and saves no time. Buffers of pages that
# lie among other memory keep the C library from giving it back after a sweep, and each thread's own area does: docs/container.md.
ENV NODE_ENV=production NODE_OPTIONS=--max-semi-space-size=8 MALLOC_MMAP_THRESHOLD_=32768 MALLOC_ARENA_MAX=2 HTTP_HOST=0.0.0.0 HTTP_PROBES_PORT=8789 HTTP_PORT=8787
EXPOSE 8787
# By number, so that a platform can see that it is not root. It is the base's user `node`.
USER 1000:1000
STOPSIGNAL SIGTERM
# For the daemon; of a container that runs another command it says nothing. The shell of the base asks, because starting Node.js for it
# every time would take more of the processor than the idle daemon, and forty mebibytes.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["bash", "-c", "port=${HTTP_PROBES_PORT:-off} && exec 3<>/dev/tcp/127.0.0.1/${port/off/$HTTP_PORT} && printf 'GET /healthz HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nConnection: close\\r\\n\\r\\n' >&3 && read -r _ status _ <&3 && echo \"/healthz answered $status\" && [ \"$status\" = 200 ]"]
# SIGUSR1 would open a debugger beside the keys in the first moments, before the program hears it.
ENTRYPOINT ["node", "--disable-sigusr1", "/app/dist/src/cli/main.js"]
CMD ["run"]
COPY --from=build /image/ /
# The version is package.json's; the arguments are for whoever publishes the image.
ARG REVISION=
ARG CREATED=
ARG SOURCE=
LABEL org.opencontainers.image.title="custody-mirror" \
      org.opencontainers.image.description="Mirrors a digital-asset custody account into PostgreSQL" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}" \
      org.opencontainers.image.source="${SOURCE}" \
      org.opencontainers.image.base.name="docker.io/library/node:24-bookworm-slim"
