# custody-mirror as a container: compiled in one stage, production dependencies in another, and an image of the two.
# The classic builder is enough: docker build -t custody-mirror .

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY scripts ./scripts
COPY drizzle ./drizzle
COPY src ./src
COPY migrations ./migrations
COPY LICENSE ./
# Readable by everybody, whatever the modes of the clone.
RUN npm run build && chmod -R a+rX dist migrations package.json LICENSE

FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="custody-mirror" \
      org.opencontainers.image.description="Mirrors a digital-asset custody account into PostgreSQL" \
      org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/migrations ./migrations
COPY --from=build /app/dist ./dist
# Inside a container only the published ports can be reached, so listening everywhere is no exposure.
ENV NODE_ENV=production HTTP_HOST=0.0.0.0 HTTP_PORT=8787
EXPOSE 8787
# The files belong to root and are read by everybody; nothing is written.
USER node
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.HTTP_PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/src/cli/main.js"]
CMD ["run"]
