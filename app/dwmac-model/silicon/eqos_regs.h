/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026, the dwmac-dpdk authors
 */
#ifndef SILICON_EQOS_REGS_H
#define SILICON_EQOS_REGS_H

/* Offsets and fields of the EQOS register map that the model acts on (eqos.md §1-§4). */

#define BIT(n)		 (UINT32_C(1) << (n))
#define BITS(hi, lo)	 ((UINT32_C(0xffffffff) >> (31 - (hi))) & (UINT32_C(0xffffffff) << (lo)))
#define FIELD(v, hi, lo) (((v)&BITS(hi, lo)) >> (lo))

/* MAC */
#define MAC_CONFIGURATION  0x000
#define MAC_CONF_SARC(v)   FIELD(v, 30, 28)
#define MAC_CONF_IPC	   BIT(27)
#define MAC_CONF_IPG(v)	   FIELD(v, 26, 24)
#define MAC_CONF_GPSLCE	   BIT(23)
#define MAC_CONF_S2KP	   BIT(22)
#define MAC_CONF_CST	   BIT(21)
#define MAC_CONF_ACS	   BIT(20)
#define MAC_CONF_WD	   BIT(19)
#define MAC_CONF_JD	   BIT(17)
#define MAC_CONF_JE	   BIT(16)
#define MAC_CONF_PS	   BIT(15)
#define MAC_CONF_FES	   BIT(14)
#define MAC_CONF_DM	   BIT(13)
#define MAC_CONF_LM	   BIT(12)
#define MAC_CONF_PRELEN(v) FIELD(v, 3, 2)
#define MAC_CONF_TE	   BIT(1)
#define MAC_CONF_RE	   BIT(0)
#define MAC_CONF_SPEED	   (MAC_CONF_PS | MAC_CONF_FES | MAC_CONF_DM | MAC_CONF_LM)

#define MAC_EXT_CONFIGURATION 0x004
#define MAC_EXT_EIPG(v)	      FIELD(v, 29, 25)
#define MAC_EXT_EIPGEN	      BIT(24)
#define MAC_EXT_DCRCC	      BIT(16)
#define MAC_EXT_GPSL(v)	      FIELD(v, 13, 0)

#define MAC_PACKET_FILTER 0x008
#define MAC_PF_RA	  BIT(31)
#define MAC_PF_VTFE	  BIT(16)
#define MAC_PF_HPF	  BIT(10)
#define MAC_PF_SAF	  BIT(9)
#define MAC_PF_SAIF	  BIT(8)
#define MAC_PF_PCF(v)	  FIELD(v, 7, 6)
#define MAC_PF_DBF	  BIT(5)
#define MAC_PF_PM	  BIT(4)
#define MAC_PF_DAIF	  BIT(3)
#define MAC_PF_HMC	  BIT(2)
#define MAC_PF_HUC	  BIT(1)
#define MAC_PF_PR	  BIT(0)

#define MAC_WATCHDOG_TIMEOUT 0x00c
#define MAC_WDT_PWE	     BIT(8)
#define MAC_HASH_TABLE_REG0  0x010

#define MAC_VLAN_TAG_CTRL   0x050
#define MAC_VTC_EIVLRXS	    BIT(31)
#define MAC_VTC_EIVLS(v)    FIELD(v, 29, 28)
#define MAC_VTC_ERIVLT	    BIT(27)
#define MAC_VTC_EDVLP	    BIT(26)
#define MAC_VTC_EVLRXS	    BIT(24)
#define MAC_VTC_EVLS(v)	    FIELD(v, 22, 21)
#define MAC_VTC_DOVLTC	    BIT(20)
#define MAC_VTC_ERSVLM	    BIT(19)
#define MAC_VTC_ESVL	    BIT(18)
#define MAC_VTC_VTIM	    BIT(17)
#define MAC_VTC_ETV	    BIT(16)
#define MAC_VLAN_INCL	    0x060
#define MAC_INNER_VLAN_INCL 0x064
#define MAC_VI_VLTI	    BIT(20)
#define MAC_VI_CSVL	    BIT(19)
#define MAC_VI_VLP	    BIT(18)
#define MAC_VI_VLC(v)	    FIELD(v, 17, 16)

#define MAC_Q0_TX_FLOW_CTRL 0x070
#define MAC_TFC_PT(v)	    FIELD(v, 31, 16)
#define MAC_TFC_DZPQ	    BIT(7)
#define MAC_TFC_TFE	    BIT(1)
#define MAC_TFC_FCB	    BIT(0)
#define MAC_RX_FLOW_CTRL    0x090
#define MAC_RFC_UP	    BIT(1)
#define MAC_RFC_RFE	    BIT(0)
#define MAC_RXQ_CTRL4	    0x094
#define MAC_RXQ_CTRL0	    0x0a0
#define MAC_RXQ_CTRL1	    0x0a4
#define MAC_RXQ_CTRL2	    0x0a8

#define MAC_INTERRUPT_STATUS 0x0b0
#define MAC_IS_MDIOIS	     BIT(18)
#define MAC_IS_RXSTSIS	     BIT(14)
#define MAC_IS_TXSTSIS	     BIT(13)
#define MAC_IS_TSIS	     BIT(12)
#define MAC_IS_MMCRXIPIS     BIT(11)
#define MAC_IS_MMCTXIS	     BIT(10)
#define MAC_IS_MMCRXIS	     BIT(9)
#define MAC_IS_MMCIS	     BIT(8)
#define MAC_IS_PHYIS	     BIT(3)
#define MAC_IS_MMC	     (MAC_IS_MMCRXIPIS | MAC_IS_MMCTXIS | MAC_IS_MMCRXIS | MAC_IS_MMCIS)
#define MAC_INTERRUPT_ENABLE 0x0b4
#define MAC_RX_TX_STATUS     0x0b8
#define MAC_RTS_RWT	     BIT(8)
#define MAC_RTS_TJT	     BIT(0)
#define MAC_VERSION	     0x110
#define MAC_HW_FEATURE0	     0x11c

#define MAC_MDIO_ADDRESS  0x200
#define MDIO_PSE	  BIT(27)
#define MDIO_PA(v)	  FIELD(v, 25, 21)
#define MDIO_RDA(v)	  FIELD(v, 20, 16)
#define MDIO_NTC(v)	  FIELD(v, 14, 12)
#define MDIO_CR(v)	  FIELD(v, 11, 8)
#define MDIO_SKAP	  BIT(4)
#define MDIO_GOC(v)	  FIELD(v, 3, 2)
#define MDIO_C45E	  BIT(1)
#define MDIO_GB		  BIT(0)
#define MAC_MDIO_DATA	  0x204
#define MAC_GPIO_STATUS	  0x20c
#define MAC_CSR_SW_CTRL	  0x230
#define MAC_CSR_RCWE	  BIT(0)
#define MAC_ADDRESS0_HIGH 0x300
#define MAC_ADDRESS0_LOW  0x304
#define MAC_ADDR_AE	  BIT(31)
#define MAC_ADDR_SA	  BIT(30)
#define MAC_ADDR_MBC(v)	  FIELD(v, 29, 24)
#define MAC_ADDR_DCS(v)	  FIELD(v, 18, 16)

/* MMC */
#define MMC_CONTROL		  0x700
#define MMC_UCDBC		  BIT(8)
#define MMC_CNTPRSTLVL		  BIT(5)
#define MMC_CNTPRST		  BIT(4)
#define MMC_CNTFREEZ		  BIT(3)
#define MMC_RSTONRD		  BIT(2)
#define MMC_CNTSTOPRO		  BIT(1)
#define MMC_CNTRST		  BIT(0)
#define MMC_RX_INTERRUPT	  0x704
#define MMC_TX_INTERRUPT	  0x708
#define MMC_RX_INTERRUPT_MASK	  0x70c
#define MMC_TX_INTERRUPT_MASK	  0x710
#define MMC_IPC_RX_INTERRUPT_MASK 0x800
#define MMC_IPC_RX_INTERRUPT	  0x808

/* PTP */
#define MAC_TIMESTAMP_CONTROL		      0xb00
#define TSC_AV8021ASMEN			      BIT(28)
#define TSC_TXTSSTSM			      BIT(24)
#define TSC_TSENMACADDR			      BIT(18)
#define TSC_SNAPTYPSEL(v)		      FIELD(v, 17, 16)
#define TSC_TSMSTRENA			      BIT(15)
#define TSC_TSEVNTENA			      BIT(14)
#define TSC_TSIPV4ENA			      BIT(13)
#define TSC_TSIPV6ENA			      BIT(12)
#define TSC_TSIPENA			      BIT(11)
#define TSC_TSVER2ENA			      BIT(10)
#define TSC_TSCTRLSSR			      BIT(9)
#define TSC_TSENALL			      BIT(8)
#define TSC_TSADDREG			      BIT(5)
#define TSC_TSUPDT			      BIT(3)
#define TSC_TSINIT			      BIT(2)
#define TSC_TSCFUPDT			      BIT(1)
#define TSC_TSENA			      BIT(0)
#define TSC_COMMANDS			      (TSC_TSADDREG | TSC_TSUPDT | TSC_TSINIT)
#define MAC_SUB_SECOND_INCREMENT	      0xb04
#define MAC_SYSTEM_TIME_SECONDS_UPDATE	      0xb10
#define MAC_SYSTEM_TIME_NANOSECONDS_UPDATE    0xb14
#define MAC_TIMESTAMP_ADDEND		      0xb18
#define MAC_SYSTEM_TIME_HIGHER_WORD_SECONDS   0xb1c
#define MAC_TIMESTAMP_STATUS		      0xb20
#define TSS_TXTSSIS			      BIT(15)
#define TSS_TSSOVF			      BIT(0)
#define MAC_TX_TIMESTAMP_STATUS_NANOSECONDS   0xb30
#define TXTSS_MIS			      BIT(31)
#define MAC_TX_TIMESTAMP_STATUS_SECONDS	      0xb34
#define MAC_TIMESTAMP_INGRESS_CORR_NANOSECOND 0xb58
#define MAC_TIMESTAMP_EGRESS_CORR_NANOSECOND  0xb5c
#define MAC_TIMESTAMP_INGRESS_CORR_SUBNANOSEC 0xb60
#define MAC_TIMESTAMP_EGRESS_CORR_SUBNANOSEC  0xb64

/* MTL */
#define MTL_OPERATION_MODE		      0xc00
#define MTL_OM_CNTCLR			      BIT(9)
#define MTL_OM_CNTPRST			      BIT(8)
#define MTL_OM_SCHALG(v)		      FIELD(v, 6, 5)
#define MTL_OM_DTXSTS			      BIT(1)
#define MTL_RXQ_DMA_MAP0		      0xc30
#define MTL_TXQ_OPERATION_MODE(n)	      (0xd00 + 0x40 * (n))
#define MTL_TQ_TQS(v)			      FIELD(v, 24, 16)
#define MTL_TQ_TXQEN(v)			      FIELD(v, 3, 2)
#define MTL_TQ_TSF			      BIT(1)
#define MTL_TQ_FTQ			      BIT(0)
#define MTL_TXQ_QUANTUM_WEIGHT(n)	      (0xd18 + 0x40 * (n))
#define MTL_Q_INTERRUPT_CONTROL_STATUS(n)     (0xd2c + 0x40 * (n))
#define MTL_QI_RXOIE			      BIT(24)
#define MTL_QI_RXOVFIS			      BIT(16)
#define MTL_QI_TXUIE			      BIT(8)
#define MTL_QI_TXUNFIS			      BIT(0)
#define MTL_RXQ_OPERATION_MODE(n)	      (0xd30 + 0x40 * (n))
#define MTL_RQ_RQS(v)			      FIELD(v, 29, 20)
#define MTL_RQ_EHFC			      BIT(7)
#define MTL_RQ_DIS_TCP_EF		      BIT(6)
#define MTL_RQ_FEP			      BIT(4)
#define MTL_RQ_FUP			      BIT(3)
#define MTL_RXQ_MISSED_PACKET_OVERFLOW_CNT(n) (0xd34 + 0x40 * (n))

/* DMA */
#define DMA_MODE			0x1000
#define DMA_MODE_INTM(v)		FIELD(v, 17, 16)
#define DMA_MODE_SWR			BIT(0)
#define DMA_SYSBUS_MODE			0x1004
#define DMA_SBM_EAME			BIT(11)
#define DMA_IS_MACIS			BIT(17)
#define DMA_IS_MTLIS			BIT(16)
#define DMA_CH(n, off)			(0x1100 + 0x80 * (n) + (off))
#define DMA_CONTROL			0x00
#define DMA_C_DSL(v)			FIELD(v, 20, 18)
#define DMA_C_PBLX8			BIT(16)
#define DMA_C_MSS(v)			FIELD(v, 13, 0)
#define DMA_TX_CONTROL			0x04
#define DMA_TC_EDSE			BIT(28)
#define DMA_TC_ETIC			BIT(22)
#define DMA_TC_TXPBL(v)			FIELD(v, 21, 16)
#define DMA_TC_TSE			BIT(12)
#define DMA_TC_OSF			BIT(4)
#define DMA_TC_ST			BIT(0)
#define DMA_RX_CONTROL			0x08
#define DMA_RC_RPF			BIT(31)
#define DMA_RC_RXPBL(v)			FIELD(v, 21, 16)
#define DMA_RC_RBSZ(v)			FIELD(v, 14, 1)
#define DMA_RC_SR			BIT(0)
#define DMA_TXDESC_LIST_HADDRESS	0x10
#define DMA_RXDESC_LIST_HADDRESS	0x18
#define DMA_RXDESC_LIST_ADDRESS		0x1c
#define DMA_TXDESC_TAIL_POINTER		0x20
#define DMA_RXDESC_TAIL_POINTER		0x28
#define DMA_TXDESC_RING_LENGTH		0x2c
#define DMA_RXDESC_RING_LENGTH		0x30
#define DMA_INTERRUPT_ENABLE		0x34
#define DMA_RX_INTERRUPT_WATCHDOG_TIMER 0x38
#define DMA_STATUS			0x60
#define DMA_ST_NIS			BIT(15)
#define DMA_ST_AIS			BIT(14)
#define DMA_ST_CDE			BIT(13)
#define DMA_ST_FBE			BIT(12)
#define DMA_ST_ERI			BIT(11)
#define DMA_ST_ETI			BIT(10)
#define DMA_ST_RWT			BIT(9)
#define DMA_ST_RPS			BIT(8)
#define DMA_ST_RBU			BIT(7)
#define DMA_ST_RI			BIT(6)
#define DMA_ST_TBU			BIT(2)
#define DMA_ST_TPS			BIT(1)
#define DMA_ST_TI			BIT(0)
#define DMA_MISS_FRAME_CNT		0x64

#endif /* SILICON_EQOS_REGS_H */
