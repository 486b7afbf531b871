/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */

/* Ports named by devargs: a device behind a vfio-user socket. */

#include <errno.h>

#include <bus_vdev_driver.h>
#include <ethdev_vdev.h>
#include <rte_errno.h>
#include <rte_interrupts.h>
#include <rte_malloc.h>

#include "dwmac.h"
#include "dwmac_args.h"
#include "dwmac_sweep.h"
#include "vfio_user/vfio_user.h"

static uint32_t
vu_read32(void *ctx, uint32_t offset)
{
	return vfio_user_bar_read32(ctx, offset);
}

static void
vu_write32(void *ctx, uint32_t offset, uint32_t value)
{
	vfio_user_bar_write32(ctx, offset, value);
}

static int
vu_post32(void *ctx, uint32_t offset, uint32_t value)
{
	return vfio_user_bar_post32(ctx, offset, value);
}

static const struct dwmac_io_ops vu_ops = {
	.read32 = vu_read32,
	.write32 = vu_write32,
	.post32 = vu_post32,
};

/* The server hung up. The descriptor stays readable, so the handler goes with the first call. */
static void
hung_up(void *arg)
{
	struct rte_eth_dev *dev = arg;
	struct dwmac_process *process = dev->process_private;

	if (!vfio_user_hup_check(process->vu))
		return;
	rte_intr_callback_unregister_pending(process->hup_intr, hung_up, arg, NULL);
	dwmac_ethdev_removed(dev);
}

static int
watch_hang_up(struct rte_eth_dev *dev)
{
	struct dwmac_process *process = dev->process_private;
	int ret;

	process->hup_intr = rte_intr_instance_alloc(RTE_INTR_INSTANCE_F_PRIVATE);
	if (process->hup_intr == NULL)
		return -ENOMEM;
	ret = rte_intr_fd_set(process->hup_intr, vfio_user_hup_fd(process->vu));
	if (ret == 0)
		ret = rte_intr_type_set(process->hup_intr, RTE_INTR_HANDLE_EXT);
	if (ret == 0)
		ret = rte_intr_callback_register(process->hup_intr, hung_up, dev);
	if (ret != 0) {
		rte_intr_instance_free(process->hup_intr);
		process->hup_intr = NULL;
	}
	return ret;
}

/* The interrupt thread may be in the handler, or about to take it away. When this is the handler,
 * with the application closing the port in its removal callback, the handler has already asked to
 * be taken away as it returns. */
static void
unwatch_hang_up(struct rte_eth_dev *dev)
{
	struct dwmac_process *process = dev->process_private;
	int ret;

	if (process->hup_intr == NULL)
		return;
	do {
		ret = rte_intr_callback_unregister(process->hup_intr, hung_up, dev);
		if (ret == -EAGAIN && rte_thread_is_intr())
			break;
		if (ret == -EAGAIN)
			rte_delay_us_sleep(1000);
	} while (ret == -EAGAIN);
	rte_intr_instance_free(process->hup_intr);
	process->hup_intr = NULL;
}

/* Which function of which vendor is behind the socket. */
static const struct dwmac_device *
identify(const char *name, struct vfio_user *vu)
{
	const struct dwmac_device *device;
	uint16_t id[2] = { 0, 0 };
	int ret = vfio_user_region_read(vu, VFIO_USER_REGION_CONFIG, 0, sizeof(id), id);

	if (ret != (int)sizeof(id)) {
		DWMAC_LOG(ERR, "%s: the server's PCI configuration space cannot be read", name);
		return NULL;
	}
	device = dwmac_device_by_pci_id(rte_le_to_cpu_16(id[0]), rte_le_to_cpu_16(id[1]));
	if (device == NULL)
		DWMAC_LOG(ERR, "%s: PCI function %04x:%04x is none this driver knows", name,
				rte_le_to_cpu_16(id[0]), rte_le_to_cpu_16(id[1]));
	return device;
}

/* PCI: a function does no DMA before the command register allows it. */
static int
enable_bus_master(struct vfio_user *vu)
{
	const uint16_t memory_and_master = 0x0006;
	uint16_t command;
	int ret;

	ret = vfio_user_region_read(vu, VFIO_USER_REGION_CONFIG, 4, sizeof(command), &command);
	if (ret != (int)sizeof(command))
		return ret < 0 ? ret : -EIO;
	command = rte_cpu_to_le_16(rte_le_to_cpu_16(command) | memory_and_master);
	ret = vfio_user_region_write(vu, VFIO_USER_REGION_CONFIG, 4, sizeof(command), &command);
	return ret < 0 ? ret : 0;
}

static int
open_device(struct rte_eth_dev *dev, const struct dwmac_args *args)
{
	struct dwmac_process *process = dev->process_private;
	const struct dwmac_device *device;
	int ret;

	ret = vfio_user_connect(args->socket, &process->vu);
	if (ret != 0)
		return ret;
	process->hw.io.ops = &vu_ops;
	process->hw.io.ctx = process->vu;
	ret = -ENODEV;
	device = identify(dev->data->name, process->vu);
	if (device == NULL)
		goto disconnect;
	ret = vfio_user_dma_map_memory(process->vu);
	if (ret != 0)
		goto disconnect;
	ret = enable_bus_master(process->vu);
	if (ret != 0)
		goto disconnect;
	ret = watch_hang_up(dev);
	if (ret != 0)
		goto disconnect;
	ret = dwmac_ethdev_init(dev, device, args);
	if (ret == 0)
		return 0;
	unwatch_hang_up(dev);
disconnect:
	vfio_user_disconnect(process->vu);
	process->vu = NULL;
	return ret;
}

struct pool_check {
	struct vfio_user *vu;
	bool mapped;
};

static void
check_chunk(struct rte_mempool *pool, void *opaque, struct rte_mempool_memhdr *chunk,
		unsigned int index)
{
	struct pool_check *check = opaque;

	RTE_SET_USED(pool);
	RTE_SET_USED(index);
	if (!vfio_user_dma_is_mapped(check->vu, chunk->addr, chunk->len))
		check->mapped = false;
}

/* External memory has no file behind it that the server could map. */
bool
dwmac_vdev_pool_mapped(struct rte_eth_dev *dev, struct rte_mempool *pool)
{
	struct pool_check check = {
		.vu = ((struct dwmac_process *)dev->process_private)->vu,
		.mapped = true,
	};

	if (check.vu != NULL)
		rte_mempool_mem_iter(pool, check_chunk, &check);
	return check.mapped;
}

/* dev_close of a vdev port: ethdev's part, then the connection. */
void
dwmac_vdev_close(struct rte_eth_dev *dev)
{
	struct dwmac_process *process = dev->process_private;

	unwatch_hang_up(dev);
	vfio_user_disconnect(process->vu);
	process->vu = NULL;
}

static int
probe(struct rte_vdev_device *vdev)
{
	struct dwmac_process *process;
	struct dwmac_args args;
	struct rte_eth_dev *dev;
	int ret;

	if (rte_eal_process_type() != RTE_PROC_PRIMARY) {
		DWMAC_LOG(ERR, "%s: secondary processes are not served yet",
				rte_vdev_device_name(vdev));
		return -ENOTSUP;
	}
	ret = dwmac_args_parse(&args, vdev->device.devargs, true);
	if (ret != 0)
		return ret;
	process = rte_zmalloc("dwmac_process", sizeof(*process), 0);
	if (process == NULL)
		return -ENOMEM;
	dev = rte_eth_vdev_allocate(vdev, sizeof(struct dwmac_port));
	if (dev == NULL) {
		rte_free(process);
		return -ENOMEM;
	}
	dev->process_private = process;
	dev->device = &vdev->device;
	ret = open_device(dev, &args);
	if (ret != 0) {
		dev->process_private = NULL;
		rte_free(process);
		rte_eth_dev_release_port(dev);
		return ret;
	}
	/* A server that goes away is noticed; on PCI nobody tells. */
	dev->data->dev_flags |= RTE_ETH_DEV_INTR_RMV;
	rte_eth_dev_probing_finish(dev);
	return 0;
}

static int
remove_device(struct rte_vdev_device *vdev)
{
	struct rte_eth_dev *dev = rte_eth_dev_allocated(rte_vdev_device_name(vdev));

	return dev == NULL ? 0 : rte_eth_dev_close(dev->data->port_id);
}

static struct rte_vdev_driver driver = {
	.probe = probe,
	.remove = remove_device,
	/* Device addresses are this process's virtual addresses. */
	.drv_flags = RTE_VDEV_DRV_NEED_IOVA_AS_VA,
};

RTE_PMD_REGISTER_VDEV(net_dwmac, driver);
RTE_PMD_REGISTER_PARAM_STRING(net_dwmac, DWMAC_ARG_SOCKET
		"=<path> " DWMAC_ARG_TX_USECS "=<0..1000000> " DWMAC_ARG_SWEEP_SERVICE "=<0|1>");
