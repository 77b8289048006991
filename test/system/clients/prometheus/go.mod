// promtool and amtool, in versions that agree on what they share.
module custody-mirror/clients

go 1.26.0

tool (
	github.com/prometheus/alertmanager/cmd/amtool
	github.com/prometheus/prometheus/cmd/promtool
)

require (
	github.com/prometheus/alertmanager v0.33.0
	github.com/prometheus/prometheus v0.313.2
)
