/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef EQOS_REGS_H
#define EQOS_REGS_H

/* Registers of GMAC 4.x/5.x that this driver uses, named as the databook names them
 * (eqos.md §1-§4). */

#include <rte_bitops.h>

/* MAC */
#define EQOS_MAC_Configuration	      0x0000
#define EQOS_MAC_Configuration_GPSLCE RTE_BIT32(23)
#define EQOS_MAC_Configuration_WD     RTE_BIT32(19)
#define EQOS_MAC_Configuration_JD     RTE_BIT32(17)
#define EQOS_MAC_Configuration_JE     RTE_BIT32(16)
#define EQOS_MAC_Configuration_PS     RTE_BIT32(15)
#define EQOS_MAC_Configuration_FES    RTE_BIT32(14)
#define EQOS_MAC_Configuration_DM     RTE_BIT32(13)
#define EQOS_MAC_Configuration_LM     RTE_BIT32(12)
#define EQOS_MAC_Configuration_TE     RTE_BIT32(1)
#define EQOS_MAC_Configuration_RE     RTE_BIT32(0)

#define EQOS_MAC_Ext_Configuration	0x0004
#define EQOS_MAC_Ext_Configuration_GPSL 0x3fffu

#define EQOS_MAC_Packet_Filter	  0x0008
#define EQOS_MAC_Packet_Filter_PM RTE_BIT32(4)
#define EQOS_MAC_Packet_Filter_PR RTE_BIT32(0)

#define EQOS_MAC_RxQ_Ctrl0	  0x00a0
#define EQOS_MAC_RxQ_Ctrl0_DCB	  2u /* two bits per queue */
#define EQOS_MAC_Interrupt_Enable 0x00b4

#define EQOS_MAC_OneUS_Tic_Counter 0x00dc
#define EQOS_MAC_GPIO_Status	   0x020c

#define EQOS_MAC_Version	 0x0110
#define EQOS_MAC_Version_SNPSVER 0x000000ffu
#define EQOS_MAC_Version_USERVER 0x0000ff00u

#define EQOS_MAC_HW_Feature0		  0x011c
#define EQOS_MAC_HW_Feature0_ADDMACADRSEL 0x007c0000u
#define EQOS_MAC_HW_Feature0_TSSEL	  RTE_BIT32(12)
#define EQOS_MAC_HW_Feature0_MMCSEL	  RTE_BIT32(8)
#define EQOS_MAC_HW_Feature0_SMASEL	  RTE_BIT32(5)
#define EQOS_MAC_HW_Feature0_GMIISEL	  RTE_BIT32(1)

#define EQOS_MAC_HW_Feature1		0x0120
#define EQOS_MAC_HW_Feature1_HASHTBLSZ	0x03000000u
#define EQOS_MAC_HW_Feature1_ADDR64	0x0000c000u
#define EQOS_MAC_HW_Feature1_ADVTHWORD	RTE_BIT32(13)
#define EQOS_MAC_HW_Feature1_TXFIFOSIZE 0x000007c0u
#define EQOS_MAC_HW_Feature1_RXFIFOSIZE 0x0000001fu

#define EQOS_MAC_HW_Feature2	     0x0124
#define EQOS_MAC_HW_Feature2_TXCHCNT 0x003c0000u
#define EQOS_MAC_HW_Feature2_RXCHCNT 0x0000f000u
#define EQOS_MAC_HW_Feature2_TXQCNT  0x000003c0u
#define EQOS_MAC_HW_Feature2_RXQCNT  0x0000000fu

#define EQOS_MAC_MDIO_Address	     0x0200
#define EQOS_MAC_MDIO_Address_PA(x)  ((uint32_t)(x) << 21)
#define EQOS_MAC_MDIO_Address_RDA(x) ((uint32_t)(x) << 16)
#define EQOS_MAC_MDIO_Address_CR(x)  ((uint32_t)(x) << 8)
#define EQOS_MAC_MDIO_Address_GOC_RD (3u << 2)
#define EQOS_MAC_MDIO_Address_GOC_WR (1u << 2)
#define EQOS_MAC_MDIO_Address_GB     RTE_BIT32(0)
#define EQOS_MAC_MDIO_Data	     0x0204
#define EQOS_MAC_MDIO_Data_GD	     0xffffu

#define EQOS_MAC_Address_High(n) (0x0300 + 8 * (n))
#define EQOS_MAC_Address_Low(n)	 (0x0304 + 8 * (n))
#define EQOS_MAC_Address_High_AE RTE_BIT32(31)

/* MMC (eqos.md §2) */
#define EQOS_MMC_Rx_Interrupt_Mask     0x070c
#define EQOS_MMC_Tx_Interrupt_Mask     0x0710
#define EQOS_MMC_IPC_Rx_Interrupt_Mask 0x0800

/* PTP block: offsets inside it are those of ptp.md §1 */
#define EQOS_PTP_BASE 0x0b00

/* MTL */
#define EQOS_MTL_Operation_Mode		     0x0c00
#define EQOS_MTL_Operation_Mode_SCHALG_WRR   0u
#define EQOS_MTL_RxQ_DMA_Map(n)		     (0x0c30 + 4 * (n)) /* four queues per register */
#define EQOS_MTL_TxQ_Operation_Mode	     0x00		/* + queue base */
#define EQOS_MTL_TxQ_Operation_Mode_TQS(x)   ((uint32_t)(x) << 16)
#define EQOS_MTL_TxQ_Operation_Mode_TXQEN_ON (2u << 2)
#define EQOS_MTL_TxQ_Operation_Mode_TSF	     RTE_BIT32(1)
#define EQOS_MTL_TxQ_Operation_Mode_FTQ	     RTE_BIT32(0)
#define EQOS_MTL_TxQ_Debug		     0x08
#define EQOS_MTL_TxQ_Debug_TXQSTS	     RTE_BIT32(4)
#define EQOS_MTL_TxQ_Debug_TRCSTS	     0x6u
#define EQOS_MTL_TxQ_Quantum_Weight	     0x18
#define EQOS_MTL_RxQ_Operation_Mode	     0x30
#define EQOS_MTL_RxQ_Operation_Mode_RQS(x)   ((uint32_t)(x) << 20)
#define EQOS_MTL_RxQ_Operation_Mode_RSF	     RTE_BIT32(5)
#define EQOS_MTL_RxQ_Missed_Overflow	     0x34 /* clears on read */
#define EQOS_MTL_RxQ_Missed_Overflow_MIS     0x07ff0000u
#define EQOS_MTL_RxQ_Missed_Overflow_OVF     0x000007ffu

/* DMA, common */
#define EQOS_DMA_Mode			   0x1000
#define EQOS_DMA_Mode_SWR		   RTE_BIT32(0)
#define EQOS_DMA_SysBus_Mode		   0x1004
#define EQOS_DMA_SysBus_Mode_WR_OSR_LMT(x) ((uint32_t)(x) << 24)
#define EQOS_DMA_SysBus_Mode_RD_OSR_LMT(x) ((uint32_t)(x) << 16)
#define EQOS_DMA_SysBus_Mode_EAME	   RTE_BIT32(11)
#define EQOS_DMA_SysBus_Mode_BLEN16	   RTE_BIT32(3)
#define EQOS_DMA_SysBus_Mode_BLEN8	   RTE_BIT32(2)
#define EQOS_DMA_SysBus_Mode_BLEN4	   RTE_BIT32(1)

/* DMA channel: + channel base. Base and stride are per-device data (sequences.md §14). */
#define EQOS_DMA_CH_Control		 0x00
#define EQOS_DMA_CH_Control_PBLx8	 RTE_BIT32(16)
#define EQOS_DMA_CH_Tx_Control		 0x04
#define EQOS_DMA_CH_Tx_Control_TxPBL(x)	 ((uint32_t)(x) << 16)
#define EQOS_DMA_CH_Tx_Control_OSF	 RTE_BIT32(4)
#define EQOS_DMA_CH_Tx_Control_ST	 RTE_BIT32(0)
#define EQOS_DMA_CH_Rx_Control		 0x08
#define EQOS_DMA_CH_Rx_Control_RPF	 RTE_BIT32(31)
#define EQOS_DMA_CH_Rx_Control_RxPBL(x)	 ((uint32_t)(x) << 16)
#define EQOS_DMA_CH_Rx_Control_RBSZ(x)	 ((uint32_t)(x) << 1)
#define EQOS_DMA_CH_Rx_Control_SR	 RTE_BIT32(0)
#define EQOS_DMA_CH_TxDesc_List_HAddress 0x10
#define EQOS_DMA_CH_TxDesc_List_Address	 0x14
#define EQOS_DMA_CH_RxDesc_List_HAddress 0x18
#define EQOS_DMA_CH_RxDesc_List_Address	 0x1c
#define EQOS_DMA_CH_TxDesc_Tail_Pointer	 0x20
#define EQOS_DMA_CH_RxDesc_Tail_Pointer	 0x28
#define EQOS_DMA_CH_TxDesc_Ring_Length	 0x2c
#define EQOS_DMA_CH_RxDesc_Ring_Length	 0x30
#define EQOS_DMA_CH_Interrupt_Enable	 0x34
#define EQOS_DMA_CH_Status		 0x60
#define EQOS_DMA_CH_Status_AIS		 RTE_BIT32(14)
#define EQOS_DMA_CH_Status_CDE		 RTE_BIT32(13)
#define EQOS_DMA_CH_Status_FBE		 RTE_BIT32(12)
#define EQOS_DMA_CH_Status_W1C		 0x0000ffc7u /* every event bit */

/* Debug state of channel n (eqos.md DMA_Debug_Status0..2): register and shift of its RPS nibble;
 * TPS is the nibble above. */
#define EQOS_DMA_Debug_Status(n)     ((n) < 3 ? 0x100c : (n) < 7 ? 0x1010 : 0x1014)
#define EQOS_DMA_Debug_RPS_SHIFT(n)  ((n) < 3 ? 8 + 8 * (n) : (n) < 7 ? 8 * ((n)-3) : 0)
#define EQOS_DMA_Debug_TPS_SHIFT(n)  (EQOS_DMA_Debug_RPS_SHIFT(n) + 4)
#define EQOS_DMA_Debug_STOPPED	     0u
#define EQOS_DMA_Debug_TPS_SUSPENDED 6u

#endif /* EQOS_REGS_H */
