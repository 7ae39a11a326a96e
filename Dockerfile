# One image for the API (the default command), the worker and the migration. Node runs the
# TypeScript as it is.
# Debian, not Alpine: the core of Temporal's worker is a native module built for glibc.
ARG NODE_IMAGE=node:24.19.0-bookworm-slim

# All packages. Install scripts are left out but for our own, which applies patches/.
FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY patches ./patches
RUN --mount=type=cache,target=/npm-cache npm ci --cache /npm-cache --ignore-scripts \
  && npx patch-package --error-on-fail

# The workflow code as one script. Building it takes swc's native part, which is an optional
# package.
FROM packages AS bundle
COPY . .
RUN node worker/build-workflow-bundle.ts bundle && mv bundle/workflows-*.js workflow-bundle.js

# What runs needs no package of development, no optional one, and one platform's build of Temporal's
# core.
FROM packages AS production
RUN npm prune --omit=dev --omit=optional --ignore-scripts \
  && find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 \
    ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -r {} +

FROM ${NODE_IMAGE}
# Temporal's core reads the system's root certificates, which the slim image lacks; Node brings its
# own. tini is process 1, because the kernel ignores a signal to that process until its program has
# a handler: a Node that starts has none, and a migration never has one.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates tini \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
# glibc otherwise gives each of the worker's some thirty threads memory that the others cannot use.
ENV MALLOC_ARENA_MAX=2
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 WORKER_HEALTH_PORT=3001 \
  WORKFLOW_BUNDLE=/app/workflow-bundle.js
COPY --from=production /app/node_modules ./node_modules
COPY --from=bundle /app/workflow-bundle.js ./
COPY . .
# Where a volume for the key ring is mounted: a new one takes its owner from here.
RUN install --directory --owner=node --group=node --mode=700 /keys
USER node
EXPOSE 3000 3001
# Of the API. A worker's check asks WORKER_HEALTH_PORT instead: see docker-compose.yml.
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
  CMD ops/healthcheck "$PORT" /health
ENTRYPOINT ["tini", "--"]
CMD ["node", "--heap-growing-percent=50", "--no-memory-reducer", "api/server.ts"]
