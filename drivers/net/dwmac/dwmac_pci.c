/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/* PCI functions bound to vfio-pci or a UIO driver. */

#include <errno.h>
#include <inttypes.h>

#include <bus_pci_driver.h>
#include <ethdev_pci.h>
#include <rte_malloc.h>

#include "dwmac.h"
#include "dwmac_args.h"

#define BAR_REGISTERS 0
/* The last register a driver of any kind touches: channel 7 of the standard layout. */
#define BAR_MIN_BYTES 0x1500

/* Ids must match the device table of base/dwmac_core.c. */
static const struct rte_pci_id ids[] = {
	{ RTE_PCI_DEVICE(0x8086, 0x4b30) }, /* Elkhart Lake PCH RGMII */
	{ RTE_PCI_DEVICE(0x8086, 0x4ba0) }, /* Elkhart Lake PSE0 RGMII */
	{ RTE_PCI_DEVICE(0x8086, 0x4bb0) }, /* Elkhart Lake PSE1 RGMII */
	{ .vendor_id = 0 },
};

static int
init(struct rte_eth_dev *dev)
{
	struct rte_pci_device *pci = RTE_ETH_DEV_TO_PCI(dev);
	const struct rte_mem_resource *bar = &pci->mem_resource[BAR_REGISTERS];
	const struct dwmac_device *device;
	struct dwmac_process *process;
	struct dwmac_args args;
	int ret;

	if (rte_eal_process_type() != RTE_PROC_PRIMARY) {
		DWMAC_LOG(ERR, "%s: secondary processes are not served yet", pci->name);
		return -ENOTSUP;
	}
	device = dwmac_device_by_pci_id(pci->id.vendor_id, pci->id.device_id);
	if (device == NULL)
		return -ENODEV;
	ret = dwmac_args_parse(&args, pci->device.devargs, false);
	if (ret != 0)
		return ret;
	if (bar->addr == NULL || bar->len < BAR_MIN_BYTES) {
		DWMAC_LOG(ERR,
				"%s: BAR %u has %" PRIu64 " bytes mapped, need %u: bind the device "
				"to vfio-pci",
				pci->name, BAR_REGISTERS, bar->len, BAR_MIN_BYTES);
		return -ENODEV;
	}
	process = rte_zmalloc("dwmac_process", sizeof(*process), 0);
	if (process == NULL)
		return -ENOMEM;
	process->hw.io.bar = bar->addr;
	dev->process_private = process;
	rte_eth_copy_pci_info(dev, pci);
	ret = dwmac_ethdev_init(dev, device, &args);
	if (ret != 0) {
		dev->process_private = NULL;
		rte_free(process);
	}
	return ret;
}

static int
probe(struct rte_pci_driver *driver, struct rte_pci_device *pci)
{
	RTE_SET_USED(driver);
	return rte_eth_dev_pci_generic_probe(pci, sizeof(struct dwmac_port), init);
}

static int
uninit(struct rte_eth_dev *dev)
{
	return dwmac_ethdev_close(dev);
}

static int
remove_device(struct rte_pci_device *pci)
{
	return rte_eth_dev_pci_generic_remove(pci, uninit);
}

static struct rte_pci_driver driver = {
	.id_table = ids,
	.drv_flags = RTE_PCI_DRV_NEED_MAPPING,
	.probe = probe,
	.remove = remove_device,
};

RTE_PMD_REGISTER_PCI(net_dwmac_pci, driver);
RTE_PMD_REGISTER_PCI_TABLE(net_dwmac_pci, ids);
RTE_PMD_REGISTER_KMOD_DEP(net_dwmac_pci, "vfio-pci | uio_pci_generic | igb_uio");
RTE_PMD_REGISTER_PARAM_STRING(net_dwmac_pci,
		DWMAC_ARG_TX_USECS "=<0..1000000> " DWMAC_ARG_SWEEP_SERVICE "=<0|1>");
